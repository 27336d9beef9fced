"""Writes the workbooks of this folder. Needs openpyxl (Debian: python3-openpyxl)."""
from datetime import date, datetime
from pathlib import Path
from openpyxl import Workbook
from openpyxl.utils.datetime import CALENDAR_MAC_1904

here = Path(__file__).parent


def filled(sheet, rows):
    for row in rows:
        sheet.append([cell[0] if isinstance(cell, tuple) else cell for cell in row])
        for at, cell in enumerate(row, 1):
            if isinstance(cell, tuple):
                sheet.cell(sheet.max_row, at).number_format = cell[1]


# Accounts below a title, on the second visible sheet, after a hidden sheet with the same columns.
book = Workbook()
book.active.title = 'Notes'
filled(book.active, [['Exported by the billing system'], ['Ask the office about old accounts.']])
hidden = book.create_sheet('Old')
hidden.sheet_state = 'hidden'
filled(hidden, [['Account No', 'Name', 'Zip'], ['999', 'Hidden', '99999']])
accounts = book.create_sheet('Accounts')
filled(accounts, [
    ['Town of Maple Grove: accounts'],
    [],
    ['Account No', 'Name', 'Zip', 'Due', 'Balance', 'Active'],
    [(12, '000000'), 'Ann Lee', (1701, '00000'), (date(2026, 11, 25), 'mm/dd/yyyy'), (12.5, '$#,##0.00'), True],
    ['0013', 'Zoë <Ng> & Sons', (170110001, '00000\\-0000'), (datetime(2026, 11, 25, 8, 30), 'yyyy-mm-dd hh:mm'),
     (0.1 + 0.2, '_("$"* #,##0.00_)'), False],
    [],
    [(14, '000000'), 'Line\nbreak', '01702', (12500000, '#,##0" dollars, my share"'), (-3, '0.00'), None],
])
book.save(here / 'accounts.xlsx')

# Dates of the 1904 system.
book = Workbook()
book.epoch = CALENDAR_MAC_1904
filled(book.active, [['Name', 'Day'], ['first', (date(2026, 11, 25), 'd-mmm-yy')], ['second', (datetime(2000, 2, 29, 13, 5, 9), 'm/d/yy h:mm')]])
book.save(here / 'mac-1904.xlsx')
