import { paraphrasesOf } from './demo-paraphrases.ts'

/** What people type when they mean one of the questions: the half that judges the search. Whoever changes the search doesn't read it. */
export const judged = paraphrasesOf(`
pay-online: can i pay my water bill on the web | internet payment utilities | where do I put in my card to take care of my account | online bill pay no login
pay-fee: how much does it cost to use my visa | processing fee | surcharge for cards | does it cost more to pay with plastic
pay-person: do you take cash | can I walk in and pay my bill | address of the payment office
pay-mail: send a check | pay by letter | where do i post my cheque
pay-phone: call and pay with my card | automated phone payment | pay without a computer
autopay: have it taken out of my checking every month | direct debit | recurring payment setup
autopay-stop: turn off autopay | cancel direct debit | end bank draft
bill-high: water bill too expensive this month | unusually large bill | high usage
bill-due: what day do I have to pay by | deadline for water payment | when are bills due each month
late-fee: penalty for paying late | I forgot to pay what now | overdue bill
payment-plan: pay in installments | need more time to pay | pay a little at a time
paperless: get my bill by email | go paperless | electronic statement
copy-bill: print last years bills | need proof of address from a previous bill | past bills history
refund: double payment | overpaid my bill | paid too much | I want my money back
account-number: what is my account no | lost my account number | need my number to pay but threw the bill away
returned-check: nsf | not enough money in the bank when you cashed my check
senior-discount: I'm retired do I pay less | low income over 65 | discount
bill-help: financial assistance | lost my job and can't pay | low income help
bill-landlord: tenant pays the water | who is responsible for a renter's unpaid bill | can the landlord get a copy of the bill
round-up: round up | charity donation on the bill | add a donation
start-service: get water at my new place | open a water account | just bought a home need water | closing on our house Friday and need the water on
stop-service: cancel water service | end service | final bill when leaving
shutoff: no water because I didn't pay | how do I get turned back on | disconnected for nonpayment
deposit: security deposit for renters | how much money up front to get water | deposit refund
leak: who is responsible for the water line | leak before the meter | service line repair | who pays to dig up the pipe
main-break: broken water main | emergency water number | burst main at night
leak-credit: had a leak now a huge bill can you lower it | plumber fixed it can i get money off | sewer adjustment
low-pressure: shower just trickles | water comes out slow | no pressure in house
brown-water: discolored water | yellow water from the faucet | why is the tap water orange
water-safe: water quality report | drinking water test results | is it ok for babies to drink the tap water
hardness: grains per gallon | do we have hard water | how many grains
lead: is there lead in my pipes | old house lead water | what is my service line made of
meter-read: how to read the numbers on the water meter | check meter myself | look at usage on meter
meter-wrong: test my water meter | meter accuracy | faulty meter
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
