/**
 * Paraphrases of the questions in residents' words. This half is used to tune the search, and the half in
 * `judged-paraphrases.ts` is used to test it. Staff could see the questions when they wrote the paraphrases.
 */

const written = `
pay-online: pay bill online | settle what i owe with a credit card on this site | pay now | make a payment
pay-fee: extra charge for credit card | why did you add a few dollars to my payment | is paying by bank cheaper | what is the convenience charge
pay-person: pay at the window | where is the cashier | pay bill at town hall
pay-mail: address to send payment | mailing address for payments | P.O. box for the water bill
pay-phone: phone number to pay | pay over the telephone | is there a line I can ring to pay | read you my card number on the phone
autopay: automatic payment | enroll in auto pay | pay my bill by itself each month | bank draft
autopay-stop: stop automatic payments | I don't want you to take money from my account any more | remove recurring payment
bill-high: my bill doubled | why do I owe so much | bill went up | we didn't use that much water
bill-due: due date | when do i need to pay | is the bill due on the weekend | which day of the month must the money be there
late-fee: late charge | missed the due date | how much is the late fee | will you charge me more if I'm a few days behind
payment-plan: payment plan | can I spread my bill over a few months | extension on my bill | arrangement for past due
paperless: stop paper bills | e-bill | I don't want mail any more just email me
copy-bill: copy of bill | old statements | download my bill pdf
refund: I paid twice | get money back | charged two times | the site took my money two times
account-number: find account number | where on the bill is my number | customer number
returned-check: bounced check fee | my check bounced | check sent back
senior-discount: senior citizen discount | reduced rate elderly | cheaper water for old people
bill-help: can't afford my water bill | help paying utilities | charity that helps with bills
bill-landlord: send the bill to the owner | put bill in landlord's name | bill my renter directly
round-up: donate to neighbors | give to people who can't pay | how can i help others with their bill
start-service: turn on water new house | sign up for water | hook up utilities | begin service
stop-service: turn off water moving | close my water account | disconnect utilities
shutoff: water got turned off | reconnect water | reconnection fee | you cut off my water
deposit: water deposit | when do I get my deposit back | do owners pay a deposit
leak: leaking pipe in the yard | is the pipe to my house mine or yours | water coming up in my lawn who repairs | puddle by the sidewalk over my water line
main-break: water gushing in the street | report water leak in road | flooding from the pavement pipe
leak-credit: leak adjustment | credit for leaking toilet | forgive bill after a leak
low-pressure: weak water pressure | low pressure | hardly any water from the tap | sink barely runs upstairs
brown-water: rusty water | water looks dirty | my laundry came out stained | the bath looks like tea
water-safe: can I drink the water | is the water clean | what is in our water | does the water have chemicals in it
hardness: water hardness | setting for water softener | is the water soft or hard
lead: lead service line | test kit lead | lead plumbing
meter-read: read my meter | where is my meter | what do the digits on the meter mean
meter-wrong: meter is broken | the meter reads too much | I don't believe the reading
sprinkler: watering restrictions | sprinkler schedule | lawn watering hours
irrigation-meter: second meter | irrigation meter | deduct meter outside water
pool-fill: filling swimming pool | sewer charge pool water | discount for filling pool
sewer-backup: sewage in basement | drain overflow | poop coming up the floor drain
frozen-pipes: pipes froze | thaw pipes | ice in the pipes
boil-notice: boil water advisory | what does boil order mean | when is the boil order over
backflow: backflow test | rpz test | annual backflow report
hydrant-flush: hydrant flushing schedule | why are fire hydrants running | hydrant flush dates
flush-wipes: are flushable wipes ok | what can't I put down the toilet | wet wipes toilet paper
trash-day: garbage day | what day does the garbage truck come | when do I put the bins out | trash schedule for my address
holiday-trash: is there garbage pickup on memorial day | pickup delayed because of thanksgiving | christmas week trash
missed-trash: they skipped my house | truck didn't take my trash | my bin is still full | nobody emptied our bins this morning
cart-new: new garbage can | replace trash can | somebody stole my trash bin | bigger can
recycle-what: what can I recycle | does pizza box go in recycling | which plastics do you take | do milk jugs and glass jars go in the blue cart
bulk: get rid of a mattress | bulk pickup | large item collection | big trash day
yard-waste: leaf pickup | branches and brush | yard waste bags
hazardous: dispose of old paint | hazardous waste day | get rid of batteries and poison
electronics: old tv | e-waste | electronics drop off
tree-xmas: christmas tree pickup | when do you take the tree after the holidays | tree at curb january
compost: free mulch | wood chips | does the town give away compost
dead-animal: dead deer | dead animal in the street | remove carcass
dumpster: dumpster permit | dumpster on driveway | can I have a dumpster outside my house
building-permit: permit for remodeling | when is a permit required | finish my basement
fence: fence permit | put up a fence | privacy fence rules | want to keep my dog in with a fence what are the rules
shed: shed permit | how big can a shed be | tool house in garden
deck: deck permit | drawing for a porch deck | add a deck behind my house
roof: roof permit | replacing shingles | does the roofer need a permit
inspection: schedule inspection | when can the inspector come | call for final inspection | ready for someone to look at my wiring
permit-status: permit status | is my permit approved yet | time to process application
contractor: is my contractor licensed | check a builder's license | verify contractor
zoning: zoning map | can I build apartments on my lot | zoning of my property
property-line: where does my lot end | survey of my land | lot lines
dig: call before you dig | mark underground cables | planting a tree where are the pipes
home-business: home business | can I cut hair in my house | business out of my garage
business-license: business license | permit to operate a store | how much is the license for a company
food-truck: food truck permit | mobile vendor license | where can food trucks park
yard-sale: garage sale permit | rummage sale | garage sale signs
block-party: block party | street party with neighbors | block off the road
fire-pit: burn leaves | open burning | burn permit | burning brush
fireworks: fireworks allowed | fourth of july rockets | when can I set off fireworks
solicitor: door to door | solicitor permit | peddler license
short-rental: airbnb | short term rental | vacation rental permit
tree-removal: cut down tree | tree between sidewalk and street | permission to cut trees
dumping-sign: sign permit | put up a business sign | neon sign | banner
parking-ticket: pay parking ticket | I got a ticket on my windshield | settle a parking violation | there is a yellow slip on my car
contest-ticket: fight a parking ticket | appeal parking fine | contest citation | the sign was hidden so why did I get fined
overnight: overnight parking | can my guests leave their car on the road until morning | parking after 2 am
resident-permit: resident parking permit | permit to park on my street | how much is a parking permit
handicap: handicap parking | handicapped spot in front of my house | wheelchair parking space
towed: my car got towed | car is gone from the street | towing | somebody took my car last night
abandoned-car: abandoned vehicle | junk car on my street | report abandoned car
snow-park: snow emergency | snow parking rules | can I leave my car on the street in a snowstorm
plow: snow plow | my street isn't plowed | plowing order of streets
sidewalk-snow: shovel sidewalk | do I have to clear snow in front of my house | neighbor doesn't shovel
mailbox-plow: snowplow hit my mailbox | replace mailbox | truck broke mailbox
pothole: pothole | fix my street | report pothole | giant crater on Maple Avenue
streetlight: street light out | streetlight not working | fix street lamp | it's pitch dark at our corner at night
sidewalk-broken: broken sidewalk | sidewalk lifted by tree roots | uneven pavement tripping
speeding: speed bumps | speeding | speed humps request
street-sweep: street sweeping | when is the sweeper coming | clean my street
road-closed: road closures | construction detours | which streets are blocked
moving-out: moving away | I'm moving out | move out checklist
moving-within: moving across town | moving to a new apartment in town | switch water to my new home
change-address: update mailing address | change address | my address is wrong
change-name: name change | account in a different name | divorced new name
register-house: register household | tell the town who lives in my house | emergency contact for my house
register-rental: register rental property | rental license | register apartment units
landlord-problem: landlord won't fix | mold in my rental | tenant rights repairs
new-resident: new to town | just moved in | what do new residents do
alarm: burglar alarm | register security system | home alarm registration
special-needs: oxygen at home tell firefighters | disabled person in house for first responders | my mother can't walk in a fire
dog-license: dog license | license for my puppy | renew dog license | we just adopted a dog what paperwork
lost-pet: lost dog | I found a dog | lost pet
barking: barking dog | noisy dog | dog won't stop barking
chickens: chickens | keep a rooster | chicken coop rules
leash: leash law | does my dog need to be on a leash | pick up dog poop
wild-animal: raccoon in attic | skunk under porch | squirrel in my chimney
pavilion: reserve pavilion | picnic shelter | how much is the pavilion | gazebo rental
pavilion-refund: cancel pavilion | refund for park rental | get my pavilion money back bad weather
park-hours: park hours | what time do parks open | park closing time
pool: pool hours | swimming pool price | pool season
alcohol-park: alcohol in park | can I bring wine to a picnic | alcohol permit
sports: kids soccer | youth sports registration | sports for my son
camp: summer camp | kids program in summer | how much is camp
senior-center: senior center | activities for elderly | meals for old people
library-card: library card | borrow books | join the library
community-garden: community garden | rent a plot to grow vegetables | waiting list garden
hours: town hall hours | what time do you close | when is the clerk open | closed on holidays
vote-register: register to vote | sign up to vote | I moved do I register to vote again
vote-where: polling place | what time do polls close | where is my precinct | where do I go on election day
absentee: absentee ballot | mail in ballot | early voting
council: council meeting | agenda | city council schedule | when can I watch the mayor and council
speak: speak at meeting | how to talk to the council | say something at the council meeting
records: public records | freedom of information | records request | I want to see emails of the town
birth-certificate: birth certificate | copy of my birth record | certificate for my newborn
marriage: marriage license | wedding license | license to wed
notary: notary | notary public | sign in front of a notary
passport: passport | passport photos | passport application
property-tax: property tax | tax bill | when are taxes due | who collects tax on my house
assessment: appeal assessment | lower my taxes | home assessed too high
jobs: jobs | employment | job application
bids: bids | sell to the town | open contracts
complaint: tall grass | report code violation | junk in yard | anonymous complaint
noise: noise ordinance | quiet hours | how late can construction make noise | bar next door plays music past midnight
graffiti: graffiti | vandalism paint | somebody tagged the bridge
cemetery: cemetery plot | burial plot price | grave site
alerts: emergency alerts | sign up for notifications | storm warnings by phone | let me know when there is a tornado
police-report: police report | copy of crash report | get incident report
smoke-detector: smoke detector | fire alarm for my house | fire department smoke alarm
siren: siren | why is the siren going off | siren test
power-out: power out | lights went out | wire down in the street
vacation-watch: vacation watch | going on vacation tell police | police patrol my home while gone
mosquito: mosquito spraying | mosquitos | mosquito truck
flood: flood zone | is my house in a floodplain | does my home need flood insurance
child-seat: car seat check | child seat inspection | fire station car seat
drugs: drug take back | dispose of medication | expired prescriptions
password: forgot password | can't log in | new password | it says my login is wrong
create-account: create account | register online | new user
link-account: link my account | connect my bill to my login | add another property
two-step: two factor | passkey | make my login more secure
no-email: didn't get email | verification mail never came | waiting for the email | still waiting for the link you sent
delete-login: delete my account | remove my profile | unsubscribe and erase my account
card-safe: is my card safe | security of payment | card data stolen
receipt: receipt | print receipt | where can I see what I paid | payment confirmation
share: add my wife to my account | share account | my husband needs access | mom is 80 and wants me to handle her bill
language: spanish | translate website | do you speak spanish
`

export const tuned = paraphrasesOf(written)

export interface Paraphrase {
  id: string
  text: string
}

/** Parses text with one line for each question: the question's name and paraphrases, separated by bars. */
export function paraphrasesOf(lines: string): Paraphrase[] {
  return lines
    .trim()
    .split('\n')
    .flatMap((line) => {
      const at = line.indexOf(':')
      return line
        .slice(at + 1)
        .split('|')
        .map((text) => ({ id: line.slice(0, at), text: text.trim() }))
    })
}
