import type { Category } from './rules.ts'

/**
 * Entry after the request's first message: kind, text and hours since the previous entry. The kind `person` is a
 * message from the requester.
 */
type DemoMessage = readonly ['reply' | 'person' | 'note', string, number]

export interface DemoTicketScenario {
  about: Category
  text: string
  messages?: readonly DemoMessage[]
  /** True if staff completed the request. Without this flag, it stays New, or In Progress after a reply or note. */
  completed?: true
  reopened?: true
  /** Reason for the status Invalid. Omitted for valid requests. */
  invalid?: string
  /** True if the request is unassigned. */
  unassigned?: true
  /** True if the requester left only a phone number. */
  phone?: true
}

/** Sample support requests. */
export const ticketScenarios: readonly DemoTicketScenario[] = [
  {
    about: 'signing_in',
    text: 'I changed my phone last week and the six digit code the site asks for is on the old one. I cannot get in any more and my bill is due on Friday.',
    messages: [
      ['note', 'Called her back. She knew the last two payments. OK to turn off two-factor authentication.', 2],
      [
        'reply',
        'Thank you for calling us back. We have asked your town to take the code off your account. Sign in with your password alone, then set up the app on the new phone under Settings.',
        1,
      ],
      ['person', 'That worked, thank you for being so quick!', 20],
    ],
    completed: true,
  },
  {
    about: 'paying',
    text: 'I paid $149.31 by card yesterday evening and have the receipt, but the page still says the same amount is owed. Will I be charged twice if I do nothing?',
    messages: [
      [
        'reply',
        'Your payment arrived. The balance on the page is brought up to date when the town loads its next bill file, which is tonight. You will not be charged again.',
        3,
      ],
    ],
    completed: true,
  },
  {
    about: 'account',
    text: 'We moved from 12 Quarry Road to Canal Street in October. Both accounts show in my profile, and I would like the old one to go away.',
    messages: [
      ['reply', 'We are asking your town which of the two accounts is closed, and will be back with you tomorrow.', 5],
    ],
  },
  {
    about: 'site',
    text: 'On my tablet the button under the usage chart is cut off at the right. It is an older iPad, if that matters.',
    unassigned: true,
  },
  {
    about: 'form',
    text: 'I tried to send the pavilion form with a PDF of our insurance and the page says the file is not accepted. It opens fine on my computer.',
    messages: [
      ['reply', 'Could you tell us how large the file is, and whether it asks for a password when you open it?', 4],
      ['person', 'It is 3 MB and yes, the insurer put a password on it. I have it in writing from them.', 30],
    ],
  },
  {
    about: 'else',
    text: 'When does leaf pickup come to Linden Avenue? The phone at borough hall is always busy.',
    messages: [
      [
        'reply',
        'Leaf pickup is run by the town itself, not by us, but we looked: the notice on the first page of your portal names the last day.',
        6,
      ],
    ],
    completed: true,
  },
  {
    about: 'paying',
    text: 'Is there a way to pay two accounts at once? My mother is 84 and I take care of her bills along with mine.',
    unassigned: true,
  },
  {
    about: 'signing_in',
    text: 'It says my email or password is wrong, but I am sure of both. I reset it twice and it still does not let me in.',
    messages: [
      [
        'reply',
        'After several failed attempts, sign-in pauses for a few minutes, even with the right password. Please wait fifteen minutes and try again.',
        2,
      ],
      ['person', 'I waited an hour and got the same sentence again.', 26],
      ['note', 'Account is locked by the town since Tuesday. Asked their administrator why.', 2],
    ],
  },
  {
    about: 'paying',
    text: 'BUY CHEAP FOLLOWERS NOW best prices for your page contact us today on our channel',
    invalid: 'Advertising.',
  },
  {
    about: 'account',
    text: 'My last name is spelled wrong on the bill, it should be with two Ns at the end. Who can correct that?',
    messages: [
      [
        'reply',
        'The name comes from the billing office of your town. We have passed it on, and the next bill should have it right.',
        7,
      ],
      ['person', 'The new bill came today and it is still spelled with one N.', 400],
    ],
    reopened: true,
  },
  {
    about: 'paying',
    text: 'My bank says an eCheck was returned because of a wrong account number. I have typed it in again now. Do I owe a fee for that?',
    messages: [['note', 'Return code R03. Looking at the settings of the town for a returned payment.', 3]],
  },
  {
    about: 'site',
    text: 'The page with my bill takes very long to open in the evening, around eight. In the morning it is fast.',
    messages: [
      [
        'reply',
        'Thank you for the time of day, that helped. A report of another town ran at eight. It runs at night now. Please write again if it is still slow.',
        28,
      ],
    ],
    completed: true,
  },
  {
    about: 'account',
    text: 'I do not use email. Please call me about linking my account, I have the paper bill in front of me and the number on it is not found.',
    phone: true,
    unassigned: true,
  },
  {
    about: 'form',
    text: 'Where do I find the form for a yard sale permit? My neighbor says she filled hers in on this site last summer.',
    messages: [
      [
        'reply',
        'Your town takes yard sale permits at the counter at the moment. They plan to bring the form back in spring.',
        9,
      ],
    ],
    completed: true,
  },
  {
    about: 'signing_in',
    text: 'The mail with the link to confirm my address never arrives. I looked into the junk folder, too.',
    messages: [
      [
        'reply',
        'We have sent it again just now, and see that your provider took it. Could you look once more, also under Promotions?',
        1,
      ],
    ],
  },
  {
    about: 'paying',
    text: 'I would like my receipt of March again for my taxes. Under Activity I only find those since May.',
    unassigned: true,
  },
  {
    about: 'paying',
    text: 'The card reader at the counter was out of order, so they sent me home to pay here. Why do I pay a fee of $3 for something I wanted to pay in person?',
    messages: [
      ['note', 'Town charges the fee by its own settings. Their manager should answer that.', 2],
      [
        'reply',
        'We understand that this is annoying. The fee is your town’s decision; we have forwarded your question to its finance office, who will write to you.',
        4,
      ],
    ],
    completed: true,
  },
  {
    about: 'else',
    text: 'Thank you for the new site! I could pay from the hospital waiting room in two minutes. Nothing is wrong, I only wanted to say it.',
    messages: [['reply', 'That made our day. All the best to you!', 2]],
    completed: true,
  },
  {
    about: 'site',
    text: 'When I make the letters larger in my browser the menu covers the heading. I need 200 percent to read.',
    unassigned: true,
  },
  {
    about: 'form',
    text: 'The dog license form asks for a rabies date in the past, and the appointment is only next week. Can I send it in without?',
    messages: [
      ['reply', 'You can keep what you typed: it stays on that computer. Send it when you have the date.', 12],
    ],
  },
  {
    about: 'account',
    text: 'My husband passed away in August. The account is in his name and I would like to put it in mine. What do you need from me?',
    messages: [
      [
        'reply',
        'We are very sorry for your loss. Your town needs a copy of the death certificate and one bill. You can bring them to the counter or mail them; nothing changes with your water until then.',
        3,
      ],
      ['person', 'Thank you. I have mailed them today.', 50],
    ],
  },
  {
    about: 'signing_in',
    text: 'Our property manager left and we do not know which email the account was opened with. The account number is on the bill.',
    unassigned: true,
  },
  {
    about: 'paying',
    text: 'AutoPay took the payment on the 3rd instead of the 15th. I chose the 15th when I set it up.',
    messages: [
      ['note', 'The due date moved with the new billing route. Asked the town whether they notified people.', 5],
    ],
  },
  {
    about: 'site',
    text: 'test test test please ignore this',
    invalid: 'A test.',
  },
  {
    about: 'else',
    text: 'A street light on the corner of Church Street has been out for two weeks. I reported it at the counter already.',
    messages: [
      [
        'reply',
        'We run the website and have notified your town. They will repair it; you can report such things under Communicate, too.',
        8,
      ],
    ],
    completed: true,
  },
  {
    about: 'account',
    text: 'I get paper bills and mails both. I would like the mails alone, to save the postage.',
    messages: [
      ['reply', 'Paper bills are sent by the billing office. We have asked them to stop yours from next month on.', 6],
      ['person', 'Another paper bill came today.', 700],
    ],
    reopened: true,
  },
]

/** Reply templates of the support staff. */
export const savedReplies = [
  {
    title: 'Balance is updated overnight',
    text: 'Your payment arrived. The balance on the page is updated when your municipality imports its next billing file, which is tonight. You will not be charged again.',
  },
  {
    title: 'Sign-in pauses after failed attempts',
    text: 'After several failed attempts, sign-in pauses for a few minutes, even with the right password. Please wait fifteen minutes and try again.',
  },
  {
    title: 'Which browser do you use?',
    text: 'Thank you for telling us. Which device and which browser do you use, and does the same happen in another browser?',
  },
  {
    title: 'Ask your municipality',
    text: 'We look after the website. Your municipality decides this, so we have forwarded your question. They will write to you.',
  },
] as const
