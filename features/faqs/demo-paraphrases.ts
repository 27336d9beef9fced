/**
 * What people type when they mean one of the questions, written by hand before there was a search. Within each question the
 * first, third, fifth … are for tuning, the second, fourth, sixth … judge and are never looked at while the search is changed.
 */

const written = `
pay-online: pay bill online | can i pay my water bill on the web | settle what i owe with a credit card on this site | internet payment utilities | pay now | where do I put in my card to take care of my account | make a payment | online bill pay no login
pay-fee: extra charge for credit card | how much does it cost to use my visa | why did you add a few dollars to my payment | processing fee | is paying by bank cheaper | surcharge for cards | what is the convenience charge | does it cost more to pay with plastic
pay-person: pay at the window | do you take cash | where is the cashier | can I walk in and pay my bill | pay bill at town hall | address of the payment office
pay-mail: address to send payment | send a check | mailing address for payments | pay by letter | P.O. box for the water bill | where do i post my cheque
pay-phone: phone number to pay | call and pay with my card | pay over the telephone | automated phone payment | is there a line I can ring to pay | pay without a computer | read you my card number on the phone
autopay: automatic payment | have it taken out of my checking every month | enroll in auto pay | direct debit | pay my bill by itself each month | recurring payment setup | bank draft
autopay-stop: stop automatic payments | turn off autopay | I don't want you to take money from my account any more | cancel direct debit | remove recurring payment | end bank draft
bill-high: my bill doubled | water bill too expensive this month | why do I owe so much | unusually large bill | bill went up | high usage | we didn't use that much water
bill-due: due date | what day do I have to pay by | when do i need to pay | deadline for water payment | is the bill due on the weekend | when are bills due each month | which day of the month must the money be there
late-fee: late charge | penalty for paying late | missed the due date | I forgot to pay what now | how much is the late fee | overdue bill | will you charge me more if I'm a few days behind
payment-plan: payment plan | pay in installments | can I spread my bill over a few months | need more time to pay | extension on my bill | pay a little at a time | arrangement for past due
paperless: stop paper bills | get my bill by email | e-bill | go paperless | I don't want mail any more just email me | electronic statement
copy-bill: copy of bill | print last years bills | old statements | need proof of address from a previous bill | download my bill pdf | past bills history
refund: I paid twice | double payment | get money back | overpaid my bill | charged two times | paid too much | the site took my money two times | I want my money back
account-number: find account number | what is my account no | where on the bill is my number | lost my account number | customer number | need my number to pay but threw the bill away
returned-check: bounced check fee | nsf | my check bounced | not enough money in the bank when you cashed my check | check sent back
senior-discount: senior citizen discount | I'm retired do I pay less | reduced rate elderly | low income over 65 | cheaper water for old people | discount
bill-help: can't afford my water bill | financial assistance | help paying utilities | lost my job and can't pay | charity that helps with bills | low income help
bill-landlord: send the bill to the owner | tenant pays the water | put bill in landlord's name | who is responsible for a renter's unpaid bill | bill my renter directly | can the landlord get a copy of the bill
round-up: donate to neighbors | round up | give to people who can't pay | charity donation on the bill | how can i help others with their bill | add a donation
start-service: turn on water new house | get water at my new place | sign up for water | open a water account | hook up utilities | just bought a home need water | begin service | closing on our house Friday and need the water on
stop-service: turn off water moving | cancel water service | close my water account | end service | disconnect utilities | final bill when leaving
shutoff: water got turned off | no water because I didn't pay | reconnect water | how do I get turned back on | reconnection fee | disconnected for nonpayment | you cut off my water
deposit: water deposit | security deposit for renters | when do I get my deposit back | how much money up front to get water | do owners pay a deposit | deposit refund
leak: leaking pipe in the yard | who is responsible for the water line | is the pipe to my house mine or yours | leak before the meter | water coming up in my lawn who repairs | service line repair | puddle by the sidewalk over my water line | who pays to dig up the pipe
main-break: water gushing in the street | broken water main | report water leak in road | emergency water number | flooding from the pavement pipe | burst main at night
leak-credit: leak adjustment | had a leak now a huge bill can you lower it | credit for leaking toilet | plumber fixed it can i get money off | forgive bill after a leak | sewer adjustment
low-pressure: weak water pressure | shower just trickles | low pressure | water comes out slow | hardly any water from the tap | no pressure in house | sink barely runs upstairs
brown-water: rusty water | discolored water | water looks dirty | yellow water from the faucet | my laundry came out stained | why is the tap water orange | the bath looks like tea
water-safe: can I drink the water | water quality report | is the water clean | drinking water test results | what is in our water | is it ok for babies to drink the tap water | does the water have chemicals in it
hardness: water hardness | grains per gallon | setting for water softener | do we have hard water | is the water soft or hard | how many grains
lead: lead service line | is there lead in my pipes | test kit lead | old house lead water | lead plumbing | what is my service line made of
meter-read: read my meter | how to read the numbers on the water meter | where is my meter | check meter myself | what do the digits on the meter mean | look at usage on meter
meter-wrong: meter is broken | test my water meter | the meter reads too much | meter accuracy | I don't believe the reading | faulty meter
sprinkler: watering restrictions | what days can I water the grass | sprinkler schedule | odd even watering | lawn watering hours | can I run the hose today
irrigation-meter: second meter | separate meter for the garden | irrigation meter | sprinkler meter no sewer | deduct meter outside water | extra meter for lawn
pool-fill: filling swimming pool | pool fill credit | sewer charge pool water | going to fill my pool will it cost a fortune | discount for filling pool | credit for water in pool
sewer-backup: sewage in basement | toilet backing up | drain overflow | sewer clogged | poop coming up the floor drain | main sewer line blocked
frozen-pipes: pipes froze | no water because of cold | thaw pipes | burst pipe winter | ice in the pipes | frozen water line
boil-notice: boil water advisory | do I need to boil water | what does boil order mean | is it ok to brush teeth during boil notice | when is the boil order over | how long do I boil
backflow: backflow test | backflow inspection deadline | rpz test | certified backflow tester | annual backflow report | when do I test my backflow preventer
hydrant-flush: hydrant flushing schedule | flushing hydrants | why are fire hydrants running | when do they open the hydrants | hydrant flush dates | water running from the fire plug
flush-wipes: are flushable wipes ok | wipes in toilet | what can't I put down the toilet | flush baby wipes | wet wipes toilet paper | things not to flush
trash-day: garbage day | when is my trash collected | what day does the garbage truck come | rubbish pickup schedule | when do I put the bins out | refuse collection day | trash schedule for my address | when do they come for the garbage on Oak Street
holiday-trash: is there garbage pickup on memorial day | trash holiday schedule | pickup delayed because of thanksgiving | does labor day change the garbage | christmas week trash | holiday collection
missed-trash: they skipped my house | garbage not collected | truck didn't take my trash | missed pickup | my bin is still full | forgot to empty my can | nobody emptied our bins this morning
cart-new: new garbage can | my bin is broken | replace trash can | need another cart | somebody stole my trash bin | lid of my cart cracked | bigger can
recycle-what: what can I recycle | is glass recyclable | does pizza box go in recycling | blue bin rules | which plastics do you take | recycling list | do milk jugs and glass jars go in the blue cart
bulk: get rid of a mattress | pick up old furniture | bulk pickup | throw away a sofa | large item collection | haul away refrigerator | big trash day | we bought a new bed and need the old one gone
yard-waste: leaf pickup | grass clippings | branches and brush | when do they vacuum leaves | yard waste bags | garden waste collection
hazardous: dispose of old paint | chemicals disposal | hazardous waste day | where do I take motor oil | get rid of batteries and poison | pesticide drop off
electronics: old tv | recycle computer | e-waste | where can I get rid of a television | electronics drop off | broken monitor and phones
tree-xmas: christmas tree pickup | throw out xmas tree | when do you take the tree after the holidays | recycle christmas tree | tree at curb january | old tree tinsel
compost: free mulch | compost for my garden | wood chips | where do I get mulch | does the town give away compost | load compost
dead-animal: dead deer | roadkill | dead animal in the street | squirrel run over on my road | remove carcass | dead cat on road
dumpster: dumpster permit | put a roll-off in the street | dumpster on driveway | rent a container for renovation | can I have a dumpster outside my house | skip in road
building-permit: permit for remodeling | do I need permission to build | when is a permit required | kitchen renovation permit | finish my basement | building permit
fence: fence permit | how tall can my fence be | put up a fence | fence height in back yard | privacy fence rules | neighbor fence on my line | want to keep my dog in with a fence what are the rules
shed: shed permit | build a storage shed | how big can a shed be | shed how far from the lot line | tool house in garden | put up a small outbuilding
deck: deck permit | building a deck | drawing for a porch deck | deck footings | add a deck behind my house | wood terrace permit
roof: roof permit | new roof | replacing shingles | reroof | does the roofer need a permit | fix my roof
inspection: schedule inspection | book an inspector | when can the inspector come | inspection appointment for my permit | call for final inspection | building inspector visit | ready for someone to look at my wiring
permit-status: permit status | how long until I get my permit | is my permit approved yet | waiting for building permit | time to process application | when will my permit be ready
contractor: is my contractor licensed | registered contractors | check a builder's license | find a licensed plumber | verify contractor | list of contractors
zoning: zoning map | what zone am I in | can I build apartments on my lot | land use | zoning of my property | commercial or residential zone
property-line: where does my lot end | property boundary | survey of my land | neighbor built on my land where is the line | lot lines | find property corners
dig: call before you dig | 811 | mark underground cables | utility locate | planting a tree where are the pipes | gas line marking
home-business: home business | work from home company rules | can I cut hair in my house | home occupation permit | business out of my garage | start a small company at home
business-license: business license | open a shop | permit to operate a store | renew business license | how much is the license for a company | starting a business
food-truck: food truck permit | sell food on the street | mobile vendor license | taco truck | where can food trucks park | hot dog stand
yard-sale: garage sale permit | yard sale rules | rummage sale | sell stuff in my driveway | garage sale signs | tag sale
block-party: block party | close my street for a party | street party with neighbors | barricades for a party | block off the road | neighborhood party permit
fire-pit: burn leaves | can I have a campfire in the backyard | open burning | fire pit rules | burn permit | bonfire | burning brush
fireworks: fireworks allowed | shoot off firecrackers | fourth of july rockets | are bottle rockets legal | when can I set off fireworks | sparklers
solicitor: door to door | salesman at my door | solicitor permit | no soliciting | peddler license | people selling things knocking
short-rental: airbnb | vrbo license | short term rental | rent my house to tourists | vacation rental permit | can I airbnb a room
tree-removal: cut down tree | remove a tree | tree between sidewalk and street | town tree is dying | permission to cut trees | who trims trees by the road
dumping-sign: sign permit | sign for my store | put up a business sign | window sign rules | neon sign | how big can my sign be | banner
parking-ticket: pay parking ticket | parking fine | I got a ticket on my windshield | pay citation online | settle a parking violation | pay ticket with plate number | there is a yellow slip on my car
contest-ticket: fight a parking ticket | dispute ticket | appeal parking fine | I don't think my ticket is fair | contest citation | ticket was wrong | the sign was hidden so why did I get fined
overnight: overnight parking | park on street at night | can my guests leave their car on the road until morning | winter parking ban | parking after 2 am | street parking at night
resident-permit: resident parking permit | parking sticker | permit to park on my street | parking pass for residents | how much is a parking permit | parking decal
handicap: handicap parking | disabled parking | handicapped spot in front of my house | placard | wheelchair parking space | accessible parking
towed: my car got towed | where is the impound lot | car is gone from the street | get my car back | towing | tow yard fees | somebody took my car last night
abandoned-car: abandoned vehicle | car sitting for weeks | junk car on my street | a van has not moved in a month | report abandoned car | old car left on road
snow-park: snow emergency | where do I park when it snows | snow parking rules | even odd side snow | can I leave my car on the street in a snowstorm | parking ban snow
plow: snow plow | when do you plow | my street isn't plowed | snow removal schedule | plowing order of streets | plows not come yet
sidewalk-snow: shovel sidewalk | snow on the sidewalk | do I have to clear snow in front of my house | icy sidewalk | neighbor doesn't shovel | who clears the walk
mailbox-plow: snowplow hit my mailbox | mailbox damaged by plow | replace mailbox | plow knocked down my mail box | truck broke mailbox | pay for mailbox
pothole: pothole | hole in the road | fix my street | bad road | report pothole | my tire was ruined by a hole | giant crater on Maple Avenue
streetlight: street light out | lamp post broken | streetlight not working | light pole is dark | fix street lamp | dark street bulb out | it's pitch dark at our corner at night
sidewalk-broken: broken sidewalk | cracked sidewalk repair | sidewalk lifted by tree roots | who pays for sidewalk | uneven pavement tripping | fix sidewalk
speeding: speed bumps | cars go too fast on my street | speeding | slow down traffic | speed humps request | stop sign request dangerous drivers
street-sweep: street sweeping | street cleaning schedule | when is the sweeper coming | move car for sweeping | clean my street | sweeper truck
road-closed: road closures | is main street closed | construction detours | street closed | which streets are blocked | roadwork
moving-out: moving away | leaving town | I'm moving out | moving to another city what do I do | move out checklist | selling house and leaving
moving-within: moving across town | transfer service to new address | moving to a new apartment in town | move within | switch water to my new home | same town new house
change-address: update mailing address | new address for my bill | change address | send mail somewhere else | my address is wrong | correct billing address
change-name: name change | got married change last name | account in a different name | change name on bill | divorced new name | husband died put account in my name
register-house: register household | household registration | tell the town who lives in my house | register my home | emergency contact for my house | register family members
register-rental: register rental property | landlord registration | rental license | I rent out a house | register apartment units | rental inspection
landlord-problem: landlord won't fix | no heat in my apartment | mold in my rental | unsafe apartment | tenant rights repairs | housing inspection for renters
new-resident: new to town | new resident information | just moved in | welcome packet | what do new residents do | moved here last week
alarm: burglar alarm | alarm permit | register security system | false alarm fee | home alarm registration | fined for false alarms
special-needs: oxygen at home tell firefighters | medical needs emergency | disabled person in house for first responders | special needs registry | my mother can't walk in a fire | tell ems about wheelchair
dog-license: dog license | register my dog | license for my puppy | dog tag | renew dog license | rabies shot proof for dog | we just adopted a dog what paperwork
lost-pet: lost dog | missing cat | I found a dog | my dog ran away | lost pet | animal shelter number
barking: barking dog | neighbor's dog barks all night | noisy dog | dog noise complaint | dog won't stop barking | loud dogs
chickens: chickens | can I have hens | keep a rooster | backyard chickens | chicken coop rules | raise poultry
leash: leash law | dog park | does my dog need to be on a leash | dog running loose | pick up dog poop | off leash area
wild-animal: raccoon in attic | bat in the house | skunk under porch | wild animal | squirrel in my chimney | possum in my yard
pavilion: reserve pavilion | rent a shelter at the park | picnic shelter | book park for birthday party | how much is the pavilion | park reservation | gazebo rental | place for a family reunion outdoors
pavilion-refund: cancel pavilion | rain on my picnic | refund for park rental | cancel reservation | get my pavilion money back bad weather | change reservation day
park-hours: park hours | when does the park close | what time do parks open | is the park open at night | park closing time | how late can I be in the park
pool: pool hours | when does pool open | swimming pool price | how much is it to swim | pool season | public pool
alcohol-park: alcohol in park | beer at pavilion | can I bring wine to a picnic | drinking in the park | alcohol permit | is booze allowed at the park
sports: kids soccer | sign up for baseball | youth sports registration | little league | sports for my son | basketball for children
camp: summer camp | day camp | kids program in summer | camp for my daughter | how much is camp | childcare in july
senior-center: senior center | lunch for seniors | activities for elderly | rides to the doctor for older people | meals for old people | senior programs
library-card: library card | get a card at the library | borrow books | library membership | join the library | how to check out books
community-garden: community garden | garden plot | rent a plot to grow vegetables | allotment | waiting list garden | grow tomatoes town garden
hours: town hall hours | are you open today | what time do you close | office hours | when is the clerk open | opening times | closed on holidays | can I come on Saturday
vote-register: register to vote | voter registration | sign up to vote | deadline to register for the election | I moved do I register to vote again | become a voter
vote-where: polling place | where do I vote | what time do polls close | voting location | where is my precinct | election day hours | where do I go on election day
absentee: absentee ballot | vote by mail | mail in ballot | I'm out of town on election day | early voting | get a ballot sent home
council: council meeting | when is the next town meeting | agenda | meeting minutes | city council schedule | board meeting time | when can I watch the mayor and council
speak: speak at meeting | public comment | how to talk to the council | address the council | say something at the council meeting | sign up to comment
records: public records | foia request | freedom of information | get town documents | records request | copy of town records | I want to see emails of the town
birth-certificate: birth certificate | death certificate | copy of my birth record | vital records | certificate for my newborn | my father died need certificate
marriage: marriage license | get married | wedding license | how much to get married | license to wed | marry at the courthouse
notary: notary | notarize a document | notary public | get papers notarized | sign in front of a notary | stamp my document
passport: passport | renew passport | passport photos | where can I get a passport | passport application | passport appointment
property-tax: property tax | pay real estate taxes | tax bill | house taxes | when are taxes due | where do I send my property tax | who collects tax on my house
assessment: appeal assessment | property value too high | lower my taxes | tax assessment wrong | home assessed too high | challenge assessed value
jobs: jobs | work for the town | employment | are you hiring | job application | career openings
bids: bids | rfp | sell to the town | become a vendor | open contracts | procurement
complaint: tall grass | neighbor's yard is a mess | report code violation | code enforcement | junk in yard | weeds next door | anonymous complaint | next door has a broken fridge on the lawn
noise: noise ordinance | loud music | quiet hours | neighbors party all night | how late can construction make noise | when can I mow in the morning | bar next door plays music past midnight
graffiti: graffiti | spray paint on wall | vandalism paint | remove graffiti | somebody tagged the bridge | painted walls
cemetery: cemetery plot | buy a grave | burial plot price | burial | grave site | how much to be buried here
alerts: emergency alerts | text alerts | sign up for notifications | get messages from the town | storm warnings by phone | stop getting alerts | let me know when there is a tornado
police-report: police report | accident report | copy of crash report | report of a break in for insurance | get incident report | how much is a police report
smoke-detector: smoke detector | smoke alarm free | fire alarm for my house | install smoke detectors | fire department smoke alarm | carbon monoxide detector
siren: siren | tornado siren | why is the siren going off | what is that loud horn | siren test | sirens at noon
power-out: power out | no electricity | lights went out | electric outage | wire down in the street | blackout
vacation-watch: vacation watch | house check while traveling | going on vacation tell police | watch my house | police patrol my home while gone | away from home security
mosquito: mosquito spraying | when do they spray for bugs | mosquitos | don't spray my yard | mosquito truck | insects fogging
flood: flood zone | flood insurance map | is my house in a floodplain | flood map | does my home need flood insurance | letter about flooding for insurance
child-seat: car seat check | install baby seat | child seat inspection | is my car seat right | fire station car seat | infant seat help
drugs: drug take back | old pills | dispose of medication | drop off medicine | expired prescriptions | throw away needles
password: forgot password | reset password | can't log in | locked out | new password | password doesn't work | it says my login is wrong
create-account: create account | sign up for the website | register online | make a login | new user | open online profile
link-account: link my account | add water account to my profile | connect my bill to my login | my account doesn't show up | add another property | link utility account
two-step: two factor | 2fa | passkey | turn on authenticator | make my login more secure | two step verification
no-email: didn't get email | no confirmation email | verification mail never came | link not received | waiting for the email | email in spam | still waiting for the link you sent
delete-login: delete my account | close online account | remove my profile | delete my login | unsubscribe and erase my account | get rid of my user
card-safe: is my card safe | do you store my credit card | security of payment | is it secure to pay here | card data stolen | who sees my card number
receipt: receipt | proof of payment | print receipt | I need a receipt for my payment | where can I see what I paid | resend receipt | payment confirmation | my accountant needs proof that I paid
share: add my wife to my account | let my daughter see my bills | share account | helper access | my husband needs access | give my caretaker access | mom is 80 and wants me to handle her bill
language: spanish | en español | translate website | other languages | do you speak spanish | hablan español
`

interface Paraphrase {
  id: string
  text: string
}

const all = written
  .trim()
  .split('\n')
  .map((line) => ({ id: line.slice(0, line.indexOf(':')), texts: line.slice(line.indexOf(':') + 1).split('|') }))

const everySecond = (from: 0 | 1): Paraphrase[] =>
  all.flatMap(({ id, texts }) =>
    texts.filter((_text, at) => at % 2 === from).map((text) => ({ id, text: text.trim() })),
  )

export const tuned = everySecond(0)
export const judged = everySecond(1)
