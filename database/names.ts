/** Fictional people and places: common first and last names in random combinations. */

const splitNames = (text: string): readonly string[] => text.split(' ')

export const firstNames = splitNames(
  'Aaron Abigail Adele Alan Alice Amara Amelia Andre Angela Anita Arthur Audrey Ben Bernice Beth Brandon Brenda Calvin Camila Carl Carmen Caroline Cecil Celia Charles Chloe Clara Claude Connie Curtis Cynthia Dale Dana Daniel Daphne Darnell David Deborah Denise Derek Diane Dominic Donna Dora Earl Edith Edwin Elaine Eli Elena Ellis Elsie Emil Emma Ernest Esther Ethan Eugene Eva Felix Fern Fiona Flora Frances Frank Gail George Gina Glen Gloria Grace Greta Harold Hazel Helen Henry Hugo Ida Imani Ines Irene Isaac Ivy Jack Jada Jamal Jan Janet Jean Jerome Joan Joel Jorge Joyce Judith Julia Karen Kevin Kim Lamar Laura Lena Leon Leroy Lillian Linda Lionel Louise Lucas Luis Lydia Mabel Marcus Maria Marie Martin Maxine Mei Miguel Mildred Milton Miriam Molly Nadia Naomi Nathan Neil Nina Noah Nora Norman Olga Oliver Olive Omar Oscar Owen Paula Pearl Percy Peter Philip Phyllis Priya Quentin Rachel Ralph Ramona Raymond Regina Rita Robert Rosa Rose Roy Ruby Ruth Sadie Samuel Sara Selma Sharon Sidney Simon Sofia Stella Steven Susan Sylvia Tamara Teresa Theodore Thomas Trevor Ursula Vera Vernon Victor Violet Virginia Walter Wanda Warren Wayne Wendell Wilma Winston Yolanda Yusuf Zora',
)

export const lastNames = splitNames(
  'Abbott Acosta Adler Ahmed Albright Alvarez Andersen Archer Atwood Baird Banks Barlow Barnett Bauer Becker Bell Benson Bishop Blair Boone Bowers Brandt Brennan Briggs Brooks Bryant Burke Byrne Caldwell Carver Castillo Chandler Chavez Cho Clarke Cobb Colby Conner Cortez Crane Cruz Dalton Daniels Dawson Delgado Dempsey Dixon Doyle Drake Duarte Dunn Eaton Egan Ellison Emery Engel Espinoza Farley Fenton Fields Finch Fischer Fleming Flores Foster Franklin Fuentes Gaines Garner Gibbs Gilbert Goodwin Graham Greer Griffin Gupta Hahn Haines Hale Hammond Hansen Hardy Hayes Hendricks Hess Higgins Hobbs Holloway Hooper Horton Hsu Hubbard Ibarra Ingram Irwin Jacobs Jennings Jensen Joyner Kaplan Keane Keller Kendall Kim Kirby Klein Knox Kowalski Kramer Lambert Landry Lang Larkin Leary Lehman Lim Lindgren Logan Lowell Lozano Lucero Lynch Mack Maddox Malone Manning Marsh Mathis Maxwell McBride McCall McNeil Meade Mendez Mercer Meyer Monroe Mooney Morrow Moss Mueller Munoz Nash Navarro Nelson Newell Nguyen Nolan Norris Novak Ochoa Ogden Okafor Olsen Ortega Osborne Padilla Park Patel Pearce Pena Pierce Pope Porter Pratt Quinn Ramsey Reed Reese Rhodes Richter Rivera Roach Rojas Rowe Rush Salazar Sanders Santos Sawyer Schmidt Shaw Shepherd Sloan Snyder Solis Spencer Stanton Steele Stokes Suarez Sutton Tate Thorne Tran Trevino Tucker Underwood Valdez Vance Vargas Vaughn Vogel Wade Wagner Walsh Ware Warner Weaver Webb Weiss Whitaker Whitfield Wilkins Winters Wolfe Wong Woodard Yates York Zamora Ziegler',
)

export const businesses = [
  "Abbott's Hardware",
  'Blue Heron Coffee',
  'Brennan & Daughters Plumbing',
  'Canal Street Dental',
  'Castillo Bakery',
  'Corner Laundry',
  'Crane Auto Repair',
  'First Street Pharmacy',
  'Garner Veterinary Clinic',
  'Grove Street Books',
  'Hobbs Garden Center',
  'Ironwood Gym',
  'Junction Diner',
  'Keller Printing',
  'Lantern Theater',
  'Larkin Law Offices',
  'Main Street Barbers',
  'Meadowbrook Daycare',
  'Mill Race Brewing',
  'Novak Upholstery',
  "Olsen's Market",
  'Patel Family Practice',
  'Quarry Road Storage',
  'Riverside Car Wash',
  'St. Brendan Parish Hall',
  'Sutton Machine Works',
  'Tate Florist',
  'The Copper Kettle',
  'Weaver Insurance',
  'Yates Bicycle Shop',
] as const
