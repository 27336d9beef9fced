import { describe, expect, test } from 'vitest'
import { meaningOf } from './keywords.ts'

const ends = `
STOP
stop
Stop.
"STOP"
stop!!!
Stooop
🛑
STOPALL
STOP ALL
stop all texts
S T O P
S.T.O.P.
s-t-o-p
Stop. Thank you
Stop, thanks
please stop
Please stop texting me
Can you please stop sending me these messages?
could you stop
stop it now
Stop messaging this number
STOP - Edna Meadows
STOP -EM
Stop, Edna
STOP\\nedna
STOP\\n\\nEdna Meadows
STOP\\n--\\nEdna Meadows\\n12 Elm St\\nMaple Grove PA 17011
stop\\nSent from my iPhone
Wrong number. Stop
wrong number, stop texting me
quit
Quit texting me
end
END ALL
cancel
Cancel these alerts please
unsubscribe
unsubscribe me
I want to unsubscribe from these texts
UNSUB
opt out
opt-out
OPTOUT
Opt me out
I would like to opt out
I am opting out
revoke
I revoke my consent
I hereby revoke consent
I withdraw my permission
REMOVE
remove me
Remove me from your list
Take me off your list
Delete my number
no more
No more texts please
do not text me
Don't text me again
Don’t send me any more messages
dont contact me
Never text me again
I don't want these messages anymore
I do not want to receive texts
leave me alone
ALTO
Alto por favor
PARAR
Pare
paren de enviar mensajes
Por favor dejen de mandarme mensajes
BAJA
dar de baja
Quiero darme de baja
CANCELAR
cancelar mensajes
No me envíen más mensajes
no más
ya no quiero recibir mensajes
Elimínenme de su lista
`

const others = `
Please don't stop
Please don’t stop the texts
Do not stop
never stop texting me
I don't want to stop these messages
I don't want to cancel
do not unsubscribe me
No paren de enviar
no cancele
Stop sign at 3rd and Elm is down
The stop sign fell over
There is no stop sign
stop by tomorrow?
Can you stop by my house
Please stop the leak on my street
Stop! There's water everywhere
When does the work on Elm end?
End of the month is fine
Is this the end of it?
Cancel my appointment on Friday
Is trash pickup cancelled?
Please cancel my water service
Remove the tree on Oak St
The leak stopped, thank you
I quit smoking
My water was cut off
nonstop noise
Let's revoke the permit
Can't pay until Friday
Para qué es esto?
para mi casa
Baja la calle hay un bache
alto ahí hay un bache
¿Cuándo termina la obra?
Me too
No
Thanks
ok
Who is this?
wrong number
`

const lines = (list: string) =>
  list
    .trim()
    .split('\n')
    .map((line) => line.replaceAll('\\n', '\n'))

describe('text that ends a municipality’s texts', () => {
  test.each(lines(ends))('%j', (body) => expect(meaningOf(body, null)).toBe('stop'))
})
describe('ordinary sentence that ends no texts', () => {
  test.each(lines(others))('%j', (body) => expect(meaningOf(body, null)).toBe('other'))
})

test.each([
  ['START', 'start'],
  ['start please', 'start'],
  ['unstop', 'start'],
  ['Yes', 'start'],
  ['Sí', 'start'],
  ['HELP', 'help'],
  ['help please', 'help'],
  ['Ayuda', 'help'],
  ['help, my street is flooded', 'other'],
])('reads %s as %s', (body, meaning) => expect(meaningOf(body, null)).toBe(meaning))
