import { paraphrasesOf } from './demo-paraphrases.ts'

/**
 * Paraphrases of the questions in residents' words. This half is used to test the search, so developers who change the
 * search must not read it.
 */
export const judged = paraphrasesOf(`
pay-online: pay water bill | make a payment on the website | I want to pay what I owe for water and sewer over the internet | can I pay from my computer without signing in
pay-fee: credit card surcharge | does it cost extra if I use my debit card | how much do you add on top when I pay with Visa | processing fee for card payments
pay-person: pay with cash | what are the hours of the payment window | can I come to town hall and pay my water there | where is the office to pay bill
pay-mail: payment mailing address | what address do I send my payment to | can I put a check in the mail for my water bill | PO box for bill payments
pay-phone: phone number to make a payment | I want to call in and pay my bill with a card | payment hotline | pay over the telephone automated system
autopay: recurring payments | can you just take the money out of my bank account every month | sign up for auto pay | automatic bank draft for water bill
autopay-stop: turn off auto pay | stop taking money out of my account every month | how can I end my automatic payments | unenroll from recurring payment
bill-high: bill doubled this month | why did my water cost so much more than last month | high water usage | my bill went way up and I did nothing different
bill-due: what day of the month do I have to pay by | when does my water payment need to be in | payment deadline if it falls on a weekend
late-fee: late penalty | I missed the due date for my bill what now | how much extra do you charge when the payment is overdue | forgot to pay my water bill on time
payment-plan: pay in installments | I owe a lot can I pay a little each month | payment plan for past due balance | is it possible to split up my big water bill over a few months
paperless: email bills | stop sending me paper bills in the mail | I would like to get my bill by email instead | sign up for e-bill
copy-bill: past bills | print my bill from last year | I need previous statements for my taxes | billing history download
refund: charged twice | I accidentally made the same payment two times and want my money back | overpaid my water bill | duplicate payment on my card
account-number: what is my account number | where on the bill is the customer number | it asks for an account number and I have no idea what mine is | find account no
returned-check: my check bounced how much do I owe now | NSF fee | what do you charge if there is not enough money in the bank for my check
senior-discount: senior citizen rate | do older people on a fixed income pay less for water | reduced water rate for retirees | my mother is 70 can she get a lower bill
bill-help: assistance paying water bill | I lost my job and have no money for the water bill | low income help with utilities | are there any programs or charities that pay for water
bill-landlord: renter pays the water | put water bill in the name of my tenant | can you send the bill to the owner of the house instead of me | who is responsible for the bill landlord or renter
round-up: give to neighbors in need | add a little extra to my payment for charity | I would like to help other families with their water bills | round up donation program
start-service: new water account | moving into a house next week and need the water turned on | set up utilities at new address | what do I need to sign up for water
stop-service: moving out | we sold the house and need to take the water out of our name | disconnect service final bill
shutoff: you turned off my water because I did not pay | how much and how fast to get water restored | no water disconnected for nonpayment
deposit: security deposit | how much money do renters have to put down to get water | upfront cost for new water account
leak: who is responsible for water line | there is a leak in my yard between the meter and the house | does the town or the homeowner pay for a broken service line | leaking pipe in front yard
main-break: water gushing out of the street | emergency water number | a pipe burst under the road who do I call | report flooding in road from broken pipe
leak-credit: I had a leak and got it fixed can you take something off my bill | credit for water lost from broken pipe | plumber receipt to lower sewer charge
low-pressure: weak shower | water barely comes out of the faucet | no pressure in my house today | why is the water only trickling
brown-water: dirty water | my tap water looks rusty and yellow | discolored water coming out of faucet is it ok to do laundry | hydrant flushing cloudy rust color
water-safe: water quality report | is it ok to drink from the faucet here | can my baby have the town water or should I buy bottled | drinking water test results
hardness: hard water | what number do I set my water softener to | grains per gallon | do we have hard or soft water here
lead: lead testing kit | does my old house have a lead service line | is there lead in the drinking water | get my water tested for lead
meter-read: reading the meter | where is my meter and which numbers do I look at | how can I check how much water I am using on the meter | what is the little triangle on the water meter
meter-wrong: meter test | I think the meter is broken and counting too much | can somebody come check if my water meter is accurate | faulty water meter
sprinkler: what days can I water the grass | odd even watering | can I run the hose today
irrigation-meter: separate meter for the garden | sprinkler meter no sewer | extra meter for lawn
pool-fill: pool fill credit | going to fill my pool will it cost a fortune | credit for water in pool
sewer-backup: toilet backing up | sewer clogged | main sewer line blocked
frozen-pipes: no water because of cold | burst pipe winter | frozen water line
boil-notice: do I need to boil water | is it ok to brush teeth during boil notice | how long do I boil
backflow: backflow inspection deadline | certified backflow tester | when do I test my backflow preventer
hydrant-flush: flushing hydrants | when do they open the hydrants | water running from the fire plug
flush-wipes: wipes in toilet | flush baby wipes | things not to flush
trash-day: when is my trash collected | rubbish pickup schedule | refuse collection day | when do they come for the garbage on Oak Street
holiday-trash: trash holiday schedule | does labor day change the garbage | holiday collection
missed-trash: garbage not collected | missed pickup | forgot to empty my can
cart-new: my bin is broken | need another cart | lid of my cart cracked
recycle-what: is glass recyclable | blue bin rules | recycling list
bulk: pick up old furniture | throw away a sofa | haul away refrigerator | we bought a new bed and need the old one gone
yard-waste: grass clippings | when do they vacuum leaves | garden waste collection
hazardous: chemicals disposal | where do I take motor oil | pesticide drop off
electronics: recycle computer | where can I get rid of a television | broken monitor and phones
tree-xmas: throw out xmas tree | recycle christmas tree | old tree tinsel
compost: compost for my garden | where do I get mulch | load compost
dead-animal: roadkill | squirrel run over on my road | dead cat on road
dumpster: put a roll-off in the street | rent a container for renovation | skip in road
building-permit: do I need permission to build | kitchen renovation permit | building permit
fence: how tall can my fence be | fence height in back yard | neighbor fence on my line
shed: build a storage shed | shed how far from the lot line | put up a small outbuilding
deck: building a deck | deck footings | wood terrace permit
roof: new roof | reroof | fix my roof
inspection: book an inspector | inspection appointment for my permit | building inspector visit
permit-status: how long until I get my permit | waiting for building permit | when will my permit be ready
contractor: registered contractors | find a licensed plumber | list of contractors
zoning: what zone am I in | land use | commercial or residential zone
property-line: property boundary | neighbor built on my land where is the line | find property corners
dig: 811 | utility locate | gas line marking
home-business: work from home company rules | home occupation permit | start a small company at home
business-license: open a shop | renew business license | starting a business
food-truck: sell food on the street | taco truck | hot dog stand
yard-sale: yard sale rules | sell stuff in my driveway | tag sale
block-party: close my street for a party | barricades for a party | neighborhood party permit
fire-pit: can I have a campfire in the backyard | fire pit rules | bonfire
fireworks: shoot off firecrackers | are bottle rockets legal | sparklers
solicitor: salesman at my door | no soliciting | people selling things knocking
short-rental: vrbo license | rent my house to tourists | can I airbnb a room
tree-removal: remove a tree | town tree is dying | who trims trees by the road
dumping-sign: sign for my store | window sign rules | how big can my sign be
parking-ticket: parking fine | pay citation online | pay ticket with plate number
contest-ticket: dispute ticket | I don't think my ticket is fair | ticket was wrong
overnight: park on street at night | winter parking ban | street parking at night
resident-permit: parking sticker | parking pass for residents | parking decal
handicap: disabled parking | placard | accessible parking
towed: where is the impound lot | get my car back | tow yard fees
abandoned-car: car sitting for weeks | a van has not moved in a month | old car left on road
snow-park: where do I park when it snows | even odd side snow | parking ban snow
plow: when do you plow | snow removal schedule | plows not come yet
sidewalk-snow: snow on the sidewalk | icy sidewalk | who clears the walk
mailbox-plow: mailbox damaged by plow | plow knocked down my mail box | pay for mailbox
pothole: hole in the road | bad road | my tire was ruined by a hole
streetlight: lamp post broken | light pole is dark | dark street bulb out
sidewalk-broken: cracked sidewalk repair | who pays for sidewalk | fix sidewalk
speeding: cars go too fast on my street | slow down traffic | stop sign request dangerous drivers
street-sweep: street cleaning schedule | move car for sweeping | sweeper truck
road-closed: is main street closed | street closed | roadwork
moving-out: leaving town | moving to another city what do I do | selling house and leaving
moving-within: transfer service to new address | move within | same town new house
change-address: new address for my bill | send mail somewhere else | correct billing address
change-name: got married change last name | change name on bill | husband died put account in my name
register-house: household registration | register my home | register family members
register-rental: landlord registration | I rent out a house | rental inspection
landlord-problem: no heat in my apartment | unsafe apartment | housing inspection for renters
new-resident: new resident information | welcome packet | moved here last week
alarm: alarm permit | false alarm fee | fined for false alarms
special-needs: medical needs emergency | special needs registry | tell ems about wheelchair
dog-license: register my dog | dog tag | rabies shot proof for dog
lost-pet: missing cat | my dog ran away | animal shelter number
barking: neighbor's dog barks all night | dog noise complaint | loud dogs
chickens: can I have hens | backyard chickens | raise poultry
leash: dog park | dog running loose | off leash area
wild-animal: bat in the house | wild animal | possum in my yard
pavilion: rent a shelter at the park | book park for birthday party | park reservation | place for a family reunion outdoors
pavilion-refund: rain on my picnic | cancel reservation | change reservation day
park-hours: when does the park close | is the park open at night | how late can I be in the park
pool: when does pool open | how much is it to swim | public pool
alcohol-park: beer at pavilion | drinking in the park | is booze allowed at the park
sports: sign up for baseball | little league | basketball for children
camp: day camp | camp for my daughter | childcare in july
senior-center: lunch for seniors | rides to the doctor for older people | senior programs
library-card: get a card at the library | library membership | how to check out books
community-garden: garden plot | allotment | grow tomatoes town garden
hours: are you open today | office hours | opening times | can I come on Saturday
vote-register: voter registration | deadline to register for the election | become a voter
vote-where: where do I vote | voting location | election day hours
absentee: vote by mail | I'm out of town on election day | get a ballot sent home
council: when is the next town meeting | meeting minutes | board meeting time
speak: public comment | address the council | sign up to comment
records: foia request | get town documents | copy of town records
birth-certificate: death certificate | vital records | my father died need certificate
marriage: get married | how much to get married | marry at the courthouse
notary: notarize a document | get papers notarized | stamp my document
passport: renew passport | where can I get a passport | passport appointment
property-tax: pay real estate taxes | house taxes | where do I send my property tax
assessment: property value too high | tax assessment wrong | challenge assessed value
jobs: work for the town | are you hiring | career openings
bids: rfp | become a vendor | procurement
complaint: neighbor's yard is a mess | code enforcement | weeds next door | next door has a broken fridge on the lawn
noise: loud music | neighbors party all night | when can I mow in the morning
graffiti: spray paint on wall | remove graffiti | painted walls
cemetery: buy a grave | burial | how much to be buried here
alerts: text alerts | get messages from the town | stop getting alerts
police-report: accident report | report of a break in for insurance | how much is a police report
smoke-detector: smoke alarm free | install smoke detectors | carbon monoxide detector
siren: tornado siren | what is that loud horn | sirens at noon
power-out: no electricity | electric outage | blackout
vacation-watch: house check while traveling | watch my house | away from home security
mosquito: when do they spray for bugs | don't spray my yard | insects fogging
flood: flood insurance map | flood map | letter about flooding for insurance
child-seat: install baby seat | is my car seat right | infant seat help
drugs: old pills | drop off medicine | throw away needles
password: reset password | locked out | password doesn't work
create-account: sign up for the website | make a login | open online profile
link-account: add water account to my profile | my account doesn't show up | link utility account
two-step: 2fa | turn on authenticator | two step verification
no-email: no confirmation email | link not received | email in spam
delete-login: close online account | delete my login | get rid of my user
card-safe: do you store my credit card | is it secure to pay here | who sees my card number
receipt: proof of payment | I need a receipt for my payment | resend receipt | my accountant needs proof that I paid
share: let my daughter see my bills | helper access | give my caretaker access
language: en español | other languages | hablan español
`)
