/** The 50 states (spec 3, "US states list"). */
export const states =
  'AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming'
    .split('|')
    .map((entry) => ({ shortname: entry.slice(0, 2), fullname: entry.slice(3) }))

/** Codes that are not among the 50 states: the District of Columbia, the territories, and military mail. */
const OTHER_STATES = 'DC PR GU VI AS MP AA AE AP'.split(' ')

export const STATE_UNKNOWN = 'No US state or territory has this code. Enter a two-letter code, such as OH.'

/** True for a two-letter state code in capital letters, or for an empty text. */
export const isState = (text: string): boolean =>
  text === '' || OTHER_STATES.includes(text) || states.some(({ shortname }) => shortname === text)
