/** FAQs of Maple Grove with the staff's answers. The search tests use them too. */

export interface DemoQuestion {
  id: string
  category: string
  question: string
  answer: string
  /** Other wordings of the question. */
  alternatives?: readonly string[]
}

type Row = readonly [id: string, question: string, answer: string]

const byCategory: Record<string, readonly Row[]> = {
  'Bills and payments': [
    [
      'pay-online',
      'How do I pay my utility bill online?',
      'Choose Pay Utility Bill on the first page, enter your account number and pay by card or bank account. You need no login.',
    ],
    [
      'pay-fee',
      'Is there a convenience fee for paying by card?',
      'The fee is shown before you confirm the payment. Paying from a bank account costs less.',
    ],
    [
      'pay-person',
      'Where can I pay in person?',
      'At the cashier in Town Hall, 100 Main Street, Monday to Friday from 8 to 4:30. We take cash, checks and cards.',
    ],
    [
      'pay-mail',
      'Where do I mail my check?',
      'Mail it with the stub of your bill to P.O. Box 40, and write your account number on the check. Please allow five days.',
    ],
    [
      'pay-phone',
      'Can I pay by phone?',
      'Yes. Call the automated line at any hour and have your account number and card ready.',
    ],
    [
      'autopay',
      'How do I set up automatic payments?',
      'Sign in, open your utility account and choose Autopay. We take the amount due on the day that you choose.',
    ],
    [
      'autopay-stop',
      'How do I cancel autopay?',
      'Open your utility account and turn Autopay off at least one business day before the payment is due.',
    ],
    [
      'bill-high',
      'Why is my water bill so high?',
      'Most often a toilet is leaking. Compare your use by month in your account, and call us if it does not look right.',
    ],
    [
      'bill-due',
      'When is my bill due?',
      'On the 20th of each month. If that is a weekend or holiday, the next business day counts.',
    ],
    [
      'late-fee',
      'What happens if I pay late?',
      'After the due date we add a penalty of five percent. Call us before then if you need more time.',
    ],
    [
      'payment-plan',
      'Can I get a payment arrangement?',
      'Yes. If you owe more than you can pay now, you may pay over up to six months. Ask for it in your account or call us.',
    ],
    [
      'paperless',
      'How do I switch to paperless billing?',
      'Sign in, open your account and choose Email only under Bills. You can go back to paper at any time.',
    ],
    [
      'copy-bill',
      'How do I get a copy of an old bill?',
      'Sign in and open Bills: the last three years are there as PDF. For older bills, ask at Town Hall.',
    ],
    [
      'refund',
      'How do I get a refund if I paid twice?',
      'Call the billing office. We return the money to the card or account it came from within ten days, or leave it as a credit.',
    ],
    ['account-number', 'Where do I find my account number?', 'It is at the upper right of your bill, below the date.'],
    [
      'returned-check',
      'What is the charge for a returned check?',
      'We charge $30 for each check that the bank sends back for insufficient funds.',
    ],
    [
      'senior-discount',
      'Is there a discount for seniors?',
      'Residents over 65 with a low income get 15 percent off water and sewer. Bring proof of age and income to Town Hall.',
    ],
    [
      'bill-help',
      'Is there help if I cannot pay my bill?',
      'The county and local charities give assistance to households in need. We keep a list and help you apply.',
    ],
    [
      'bill-landlord',
      'Can the bill be sent to my landlord or tenant?',
      'Yes, if both agree in writing. The owner stays responsible for what is unpaid.',
    ],
    [
      'round-up',
      'Can I donate by rounding up my bill?',
      'Yes. Choose Round up in your account and the difference to the next dollar goes to neighbors in need.',
    ],
  ],
  'Water and sewer': [
    [
      'start-service',
      'How do I start water service?',
      'Choose Move In on the first page at least two business days before you need water. Have your lease or deed ready.',
    ],
    [
      'stop-service',
      'How do I stop water service?',
      'Choose Move Out and name the last day. We read the meter that day and send a final bill.',
    ],
    [
      'shutoff',
      'My water was shut off. How do I get it back on?',
      'Pay the past-due amount and the reconnection fee. Before 3 on a working day we turn it on again the same day.',
    ],
    [
      'deposit',
      'Do I have to pay a deposit for water?',
      'Renters pay $100, owners nothing. You get it back after a year of paying on time, or with your final bill.',
    ],
    [
      'leak',
      'Who fixes a leak in the pipe to my house?',
      'The town repairs everything up to the meter. From the meter to the house it belongs to the owner.',
    ],
    [
      'main-break',
      'How do I report a water main break?',
      'Call 555-0142 at any hour. If water comes out of the street, please do not wait for the morning.',
    ],
    [
      'leak-credit',
      'Can my bill be reduced after a leak?',
      'Once in two years. Send us the plumber’s receipt within 60 days and we adjust the sewer part.',
    ],
    [
      'low-pressure',
      'Why is my water pressure low?',
      'Check that the valve by the meter is fully open and clean the filters of your taps. If neighbors have it too, call us.',
    ],
    [
      'brown-water',
      'Why is my water brown?',
      'Iron is stirred up when we flush hydrants. It is harmless: let the cold water run for some minutes and wash no whites.',
    ],
    [
      'water-safe',
      'Is the tap water safe to drink?',
      'Yes. We test it each day and publish the yearly quality report.',
    ],
    [
      'hardness',
      'How hard is our water?',
      'About nine grains per gallon, which is moderately hard. Set your softener to that.',
    ],
    [
      'lead',
      'Are there lead pipes in town?',
      'Some houses from before 1950 have lead service lines. Look yours up on the map, or ask for a free test kit.',
    ],
    [
      'meter-read',
      'How do I read my water meter?',
      'Lift the lid at the curb and read the black digits from left to right. The small triangle turns when water flows.',
    ],
    [
      'meter-wrong',
      'What if I think my meter is wrong?',
      'We test it for $50 and return the money if it runs more than two percent fast.',
    ],
    [
      'sprinkler',
      'When may I water my lawn?',
      'From May to September before 10 in the morning or after 6, on even days for even house numbers.',
    ],
    [
      'irrigation-meter',
      'Can I get a second meter for irrigation?',
      'Yes, with a plumbing permit and a backflow preventer. What runs through it is not billed for sewer.',
    ],
    [
      'pool-fill',
      'Do I pay sewer charges when I fill my pool?',
      'Not if you tell us before. We give a credit for one filling a year.',
    ],
    [
      'sewer-backup',
      'My sewer is backing up. Who do I call?',
      'Call us first, at 555-0142: we check the main line at no cost. If that is clear, you need a plumber.',
    ],
    [
      'frozen-pipes',
      'What do I do about frozen pipes?',
      'Open a tap, warm the pipe slowly with a hair dryer, never a flame, and call a plumber if it has burst.',
    ],
    [
      'boil-notice',
      'What is a boil water notice?',
      'Boil water for one minute before you drink it or cook with it, until we say that it is over.',
    ],
    [
      'backflow',
      'When is my backflow test due?',
      'Once a year, by June 30, by a certified tester who files the result online.',
    ],
    [
      'hydrant-flush',
      'When do you flush the hydrants?',
      'In April and October. We put up signs on your street the day before.',
    ],
    [
      'flush-wipes',
      'Can I flush wipes?',
      'No, not even those that say so. They clog the pumps: put them into the trash.',
    ],
  ],
  'Trash and recycling': [
    [
      'trash-day',
      'What day is my trash picked up?',
      'Enter your address on the trash map. North of the railroad it is Tuesday, south of it Thursday.',
    ],
    [
      'holiday-trash',
      'Does a holiday change trash collection?',
      'In the week of a holiday everything after it is one day later.',
    ],
    [
      'missed-trash',
      'My trash was not picked up. What do I do?',
      'Leave the cart at the curb and report it by noon of the next day. The truck comes back.',
    ],
    [
      'cart-new',
      'How do I get a new or replacement cart?',
      'Ask for it online. A broken cart is replaced free of charge, a second one costs $4 a month.',
    ],
    [
      'recycle-what',
      'What goes into the recycling bin?',
      'Paper, cardboard, cans, and bottles of plastic number 1 and 2, clean and loose. No bags and no foam.',
    ],
    [
      'bulk',
      'How do I get rid of a couch or other large items?',
      'Book a bulk pickup, up to three pieces twice a year. Put them out the evening before.',
    ],
    [
      'yard-waste',
      'When are leaves and yard waste collected?',
      'From April to November with the trash, in paper bags. Loose leaves are vacuumed from the street in the fall.',
    ],
    [
      'hazardous',
      'Where do I take paint and chemicals?',
      'To the county’s hazardous waste day, the first Saturday of each month, at the transfer station. Never into the trash.',
    ],
    [
      'electronics',
      'How do I recycle electronics?',
      'Bring computers, televisions and phones to Public Works, Saturdays from 9 to noon. Screens cost $15.',
    ],
    [
      'tree-xmas',
      'Where do I leave my Christmas tree?',
      'At the curb in the first two weeks of January, without lights, tinsel and stand.',
    ],
    [
      'compost',
      'Can I get compost or mulch from the town?',
      'Residents may load it themselves at Public Works, free, from April until it is gone.',
    ],
    [
      'dead-animal',
      'Who picks up a dead animal on the road?',
      'Public Works, on any working day. Report the place online or call.',
    ],
    [
      'dumpster',
      'May I put a dumpster in front of my house?',
      'On your driveway without a permit. In the street you need one, for $25 a week.',
    ],
  ],
  'Permits and building': [
    [
      'building-permit',
      'Do I need a building permit?',
      'For everything that changes structure, wiring or plumbing. Paint, floors and cabinets need none.',
    ],
    [
      'fence',
      'Do I need a permit for a fence?',
      'Yes, for $40. Up to four feet in front and six behind, on your own side of the property line.',
    ],
    [
      'shed',
      'May I build a shed?',
      'Up to 120 square feet it needs no permit, but it must be five feet away from each property line.',
    ],
    [
      'deck',
      'What do I need to build a deck?',
      'A permit with a drawing. The inspector looks at the holes before you pour concrete.',
    ],
    [
      'roof',
      'Do I need a permit to replace my roof?',
      'Yes, and the contractor must be registered. A repair of less than a quarter of it needs none.',
    ],
    [
      'inspection',
      'How do I schedule a building inspection?',
      'Online with the number of your permit, by 3 on the day before.',
    ],
    [
      'permit-status',
      'How long does a permit take?',
      'Ten working days for a house, thirty for a business. You can see its status online.',
    ],
    [
      'contractor',
      'How do I check that a contractor is licensed?',
      'Look for the name in our list of registered contractors, or ask the building department.',
    ],
    [
      'zoning',
      'What is my property zoned for?',
      'Look at the zoning map, or ask the planner. Each district has its list of allowed uses.',
    ],
    [
      'property-line',
      'Where is my property line?',
      'The town does not survey. Look at the survey from your purchase or hire a surveyor.',
    ],
    ['dig', 'Who do I call before I dig?', 'Call 811 three working days before. They mark cables and pipes for free.'],
    [
      'home-business',
      'Can I run a business from my home?',
      'Yes, if your neighbors do not notice: no sign, no more than one employee, few customers. You register it for $25.',
    ],
    [
      'business-license',
      'How do I get a business license?',
      'Apply under Forms and documents. It costs $75 a year and $5 for each employee. Renew it each January.',
    ],
    [
      'food-truck',
      'What does a food truck need?',
      'A vendor permit from the town, the county’s health certificate and a place where you may park.',
    ],
    [
      'yard-sale',
      'Do I need a permit for a yard sale?',
      'Yes. It is free, twice a year for each household. Apply under Forms and documents. Put signs on your own ground only.',
    ],
    [
      'block-party',
      'How do I close the street for a block party?',
      'Ask three weeks before, with signatures of three quarters of the neighbors. We bring the barricades.',
    ],
    [
      'fire-pit',
      'May I burn leaves or have a fire pit?',
      'A small fire of dry wood is fine, 15 feet from any building. Burning leaves and trash is not allowed.',
    ],
    ['fireworks', 'Are fireworks allowed?', 'Sparklers and fountains only, from July 1 to 5 until 11 at night.'],
    [
      'solicitor',
      'Do door-to-door salespeople need a permit?',
      'Yes, with a badge that they show you. Put up a No Soliciting sign and they must not ring.',
    ],
    [
      'short-rental',
      'Can I rent my house to vacation guests?',
      'With a short-term rental license and a yearly inspection, for at most 120 nights a year.',
    ],
    [
      'tree-removal',
      'May I cut down a tree?',
      'On your own ground, yes. The trees between sidewalk and street are the town’s: ask before.',
    ],
    [
      'dumping-sign',
      'What signs may my shop have?',
      'One on the wall and one in the window without lights. Anything bigger needs a sign permit.',
    ],
  ],
  'Parking and streets': [
    [
      'parking-ticket',
      'How do I pay a parking ticket?',
      'Choose Pay Parking Ticket and enter the number of the ticket or your license plate.',
    ],
    [
      'contest-ticket',
      'How do I contest a parking ticket?',
      'Within 21 days, online, with your reasons and photos. We answer within a month and add nothing until then.',
    ],
    [
      'overnight',
      'Can I park on the street overnight?',
      'Yes, except from December to March between 2 and 6 in the morning. Guests may ask for three nights.',
    ],
    [
      'resident-permit',
      'How do I get a resident parking permit?',
      'Bring your registration and a bill with your address. It costs $20 a year for each car.',
    ],
    [
      'handicap',
      'How do I get a disabled parking space?',
      'The state issues the placard. For a space before your house send us a copy and a note of your doctor.',
    ],
    [
      'towed',
      'My car was towed. Where is it?',
      'Call the police desk. They tell you where your car is, what it costs, and what you have to bring.',
    ],
    [
      'abandoned-car',
      'How do I report an abandoned car?',
      'Tell us place, color and plate. After 72 hours without moving the police may have it taken away.',
    ],
    [
      'snow-park',
      'What are the rules in a snow emergency?',
      'No car on the even side of the street from the start of the emergency until it is plowed.',
    ],
    [
      'plow',
      'When will my street be plowed?',
      'Main roads first, then hills and schools, then all others, within 24 hours after the last flake.',
    ],
    [
      'sidewalk-snow',
      'Who shovels the sidewalk?',
      'The owner or tenant of the house, within a day of the end of the snowfall.',
    ],
    [
      'mailbox-plow',
      'The plow broke my mailbox. Who pays?',
      'We do, if the truck hit it and the mailbox followed the post office rules. Report it within 30 days.',
    ],
    [
      'pothole',
      'How do I report a pothole?',
      'Choose Report a Problem, point at the place and send. We fill it within five working days.',
    ],
    [
      'streetlight',
      'How do I report a broken street light?',
      'Tell us the number on the pole or the address. It is repaired within ten days.',
    ],
    [
      'sidewalk-broken',
      'Who repairs a broken sidewalk?',
      'The town and the owner share the cost half and half. Report it, and we come and look.',
    ],
    [
      'speeding',
      'How can we get speed bumps on our street?',
      'Ask for a traffic study with signatures of ten neighbors. We count the cars for a week first.',
    ],
    [
      'street-sweep',
      'When is my street swept?',
      'Twice a year, in April and after the leaves in November. Signs tell you when to move your car.',
    ],
    [
      'road-closed',
      'Which roads are closed?',
      'Construction and closures are on the map on the first page, and by alert if you want.',
    ],
  ],
  'Moving and registration': [
    [
      'moving-out',
      'What do I need to do when I move out of town?',
      'Choose Move Out, name your last day and the new address for the final bill. Autopay ends with it.',
    ],
    [
      'moving-within',
      'I am moving within town. Do I need a new account?',
      'No. Choose Move Within: service ends at the old place and begins at the new one in one step.',
    ],
    [
      'change-address',
      'How do I change my mailing address?',
      'Sign in and change it under Profile, or call us with your account number.',
    ],
    [
      'change-name',
      'How do I change the name on my account?',
      'Bring the marriage certificate or court order to Town Hall, or send a copy.',
    ],
    [
      'register-house',
      'How do I register my household?',
      'Choose Register. Tell us who lives there and whom to call in an emergency. You confirm it once a year.',
    ],
    [
      'register-rental',
      'How do I register a rental property?',
      'Choose Register and then Rental property, with the units and who manages them. An inspection follows.',
    ],
    [
      'landlord-problem',
      'My landlord does not make repairs. Who can help?',
      'Write to the landlord first. If there is no heat, water, or it is not safe, ask us for a housing inspection.',
    ],
    [
      'new-resident',
      'I just moved here. What should I know?',
      'Start water, look up your trash day, register your household and sign up for alerts. All is on the first page.',
    ],
    [
      'alarm',
      'Do I have to register my burglar alarm?',
      'Yes, for free. The first two false alarms a year cost nothing, each more $50.',
    ],
    [
      'special-needs',
      'How do I tell the fire department about medical needs?',
      'Register your household and fill in Needs in an emergency. Only responders see it.',
    ],
  ],
  'Pets and animals': [
    [
      'dog-license',
      'How do I get a dog license?',
      'Apply online with proof of the rabies vaccination. $8.50, or $13.50 if not spayed or neutered, each year by March 31.',
    ],
    [
      'lost-pet',
      'I lost my pet. Who do I call?',
      'Call animal control, and look at the shelter’s page, where found animals are shown.',
    ],
    [
      'barking',
      'What can I do about a barking dog?',
      'Talk to your neighbor first. If it goes on, tell animal control the times.',
    ],
    ['chickens', 'May I keep chickens?', 'Up to six hens and no rooster, in a coop 20 feet from the next house.'],
    [
      'leash',
      'Do dogs have to be on a leash?',
      'Yes, everywhere but in the dog park on Elm Street. Please pick up after them.',
    ],
    [
      'wild-animal',
      'There is a raccoon or bat in my house. Who helps?',
      'Animal control comes if it is in your rooms. For attics and yards you hire a trapper.',
    ],
  ],
  'Parks and recreation': [
    [
      'pavilion',
      'How do I reserve a pavilion?',
      'Choose Rentals, the park and the day. $50 for residents, and $100 is held until it is clean.',
    ],
    [
      'pavilion-refund',
      'Do I get my money back if it rains on my reservation?',
      'Cancel seven days before for a full refund. If it rains, you may choose another day.',
    ],
    ['park-hours', 'When are the parks open?', 'From sunrise to ten at night.'],
    [
      'pool',
      'When does the swimming pool open?',
      'From Memorial Day to Labor Day, noon to 7. A day costs $4, children under three nothing.',
    ],
    [
      'alcohol-park',
      'Can we drink beer in the park?',
      'Only with an alcohol permit for a reserved pavilion, and no glass.',
    ],
    [
      'sports',
      'How do I sign up my child for sports?',
      'Registration opens in March for summer and in July for fall, online or at the recreation center.',
    ],
    ['camp', 'Is there a summer camp?', 'Yes, for ages 6 to 12, eight weeks from June. There is help with the cost.'],
    [
      'senior-center',
      'What does the senior center offer?',
      'Lunch, exercise, rides to the doctor and company, on weekdays from 9 to 3.',
    ],
    [
      'library-card',
      'How do I get a library card?',
      'Bring something with your name and address to the library. It is free.',
    ],
    [
      'community-garden',
      'Can I get a garden plot?',
      'There are 60, for $20 a season. Put your name on the list in February.',
    ],
  ],
  'Town Hall and records': [
    [
      'hours',
      'When is Town Hall open?',
      'Monday to Friday from 8 to 4:30, the clerk on Wednesdays until 7. Closed on holidays.',
    ],
    [
      'vote-register',
      'How do I register to vote?',
      'At the clerk’s office or with the state online, 15 days before an election. Bring a photo ID.',
    ],
    ['vote-where', 'Where do I vote?', 'The clerk’s page shows your polling place. Polls are open from 7 to 8.'],
    [
      'absentee',
      'How do I vote by mail?',
      'Ask the clerk for an absentee ballot up to seven days before the election.',
    ],
    [
      'council',
      'When does the town council meet?',
      'On the second and fourth Monday at 7 in the evening, in Town Hall. Agenda and minutes are online.',
    ],
    ['speak', 'How can I speak at a meeting?', 'Sign the sheet before it begins. Each speaker has three minutes.'],
    [
      'records',
      'How do I request public records?',
      'With the records request form. We answer within five working days; the first 20 pages are free.',
    ],
    [
      'birth-certificate',
      'Where do I get a birth or death certificate?',
      'From the county health department, or ours if it happened in town. $20, with a photo ID.',
    ],
    [
      'marriage',
      'How do we get a marriage license?',
      'Both come to the county clerk with an ID. $35, and it can be used after three days.',
    ],
    [
      'notary',
      'Do you have a notary?',
      'Yes, at the clerk’s counter, free for residents. Do not sign before you come.',
    ],
    ['passport', 'Can I apply for a passport at Town Hall?', 'No, at the post office, by appointment.'],
    [
      'property-tax',
      'Where do I pay property taxes?',
      'To the county treasurer, in two parts, in May and November. The town only collects utilities.',
    ],
    [
      'assessment',
      'How do I appeal my property assessment?',
      'File with the county board of review in March, with prices of houses like yours.',
    ],
    ['jobs', 'Does the town have job openings?', 'They are on the jobs page. Apply there. You need no paper form.'],
    [
      'bids',
      'Where do I find bids and contracts?',
      'Open bids are on the purchasing page. Register as a vendor to hear about new ones.',
    ],
    [
      'complaint',
      'How do I report a code violation, such as tall grass?',
      'Choose Report a Problem. You need not give your name. We look at it within a week.',
    ],
    [
      'noise',
      'What are the quiet hours?',
      'From 10 at night to 7 in the morning, on weekends until 8. Call the police line, not 911.',
    ],
    [
      'graffiti',
      'How do I report graffiti?',
      'Send a photo and the place. On public walls it is gone within two days.',
    ],
    [
      'cemetery',
      'How do I buy a cemetery plot?',
      'Ask the clerk. Residents pay $800, others $1,400, the opening not included.',
    ],
  ],
  'Safety and alerts': [
    [
      'alerts',
      'How do I sign up for emergency alerts?',
      'Sign in and choose what you want to hear, by email or text. You can stop at any time.',
    ],
    [
      'police-report',
      'How do I get a copy of a police report?',
      'Ask at the police desk after five days. $5; those of accidents are online.',
    ],
    ['smoke-detector', 'Can I get a free smoke detector?', 'The fire department brings and installs it, on request.'],
    [
      'siren',
      'Why do I hear sirens on Saturday?',
      'We test the tornado sirens on the first Saturday of the month at noon.',
    ],
    [
      'power-out',
      'Who do I call when the power is out?',
      'Your electric company, not the town. Stay away from wires that lie on the ground.',
    ],
    [
      'vacation-watch',
      'Will police check my house while I am away?',
      'Yes, ask for a vacation watch two days before you leave.',
    ],
    [
      'mosquito',
      'When do you spray for mosquitoes?',
      'From June to September at dusk, on days when the traps are full. You can opt out.',
    ],
    [
      'flood',
      'Am I in a flood zone?',
      'Look at the flood map by your address, or ask us for a letter for your insurance.',
    ],
    ['child-seat', 'Who checks my child’s car seat?', 'The fire station, by appointment, free.'],
    ['drugs', 'Where can I drop off old medicine?', 'In the box at the police station, day and night. No needles.'],
  ],
  'Your login': [
    [
      'password',
      'I forgot my password. What do I do?',
      'Choose Forgot password on the sign-in page. The link comes by email and works for an hour.',
    ],
    [
      'create-account',
      'How do I create an account on this website?',
      'Choose Register at the top, give your email and choose a password, then follow the link that we email.',
    ],
    [
      'link-account',
      'How do I add my utility account to my login?',
      'Under Link account enter its number and the amount of a recent bill.',
    ],
    ['two-step', 'How do I turn on two-step verification?', 'Under Security, with an app on your phone or a passkey.'],
    [
      'no-email',
      'I did not get the confirmation email. Why?',
      'Look into the spam folder and wait ten minutes. Then ask for it again.',
    ],
    [
      'delete-login',
      'How do I close my online profile?',
      'Under Profile choose Close my login. Bills and payments stay on record with the town.',
    ],
    [
      'card-safe',
      'Is my credit card information safe?',
      'Card numbers go straight to the payment company. We never see or keep them.',
    ],
    [
      'receipt',
      'Where is my receipt?',
      'We emailed it right after you paid. If you sign in, you also find it under Payments.',
    ],
    [
      'share',
      'Can my spouse or helper see my account?',
      'Yes, share it under People. They see bills, and you can end it at any time.',
    ],
    ['language', 'Is the site available in Spanish?', 'Parts of it are. Call us for help in Spanish.'],
  ],
}

export const mapleGroveQuestions: DemoQuestion[] = Object.entries(byCategory).flatMap(([category, rows]) =>
  rows.map(([id, question, answer]) => ({ id, category, question, answer })),
)
