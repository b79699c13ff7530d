// Owns a coarse list of frequent English words, which say little about a text, without the stop words. Data only.
import type { Reading } from "../../reading.ts";

export const frequent: Reading["frequent"] = {
  commonest: `
time people way year day thing man world life part number work case point place group problem fact hand week company
high small large big long great little old new good right different early important public bad able last next first
second third one two three four five six seven eight nine ten hundred thousand use find give tell call try ask need
feel become leave put mean keep let begin seem help show hear play run move live believe bring happen write sit stand
lose pay meet include continue set learn change lead understand watch follow stop create speak read spend grow open
walk win offer remember consider appear buy send stay fall cut reach decide return explain hope develop carry receive
agree make take get go come see know think look want say made taken given done used using much many well even still
also back now then another around however always often never sometimes really quite already almost enough far near
less least result effect present obtain form general certain possible common total main various particular similar
simple type kind level order line end side example name question answer value amount range size section figure table
note base require provide allow determine describe discuss compare apply indicate suggest increase decrease reduce
cause involve follow concern relate depend contain refer
`,
  common: `
room mother area money story month lot book eye job word business issue head house service friend father power hour
game member law car city community president team minute idea kid body information nothing ago social history party
morning reason research girl guy moment teacher education foot boy age policy music market sense class plan interest
view food land action decision nature process subject position field role center language model account event term
control person country student family school government computer web page site file user list code document customer
product price cost email address date phone report detail item option version support online access click link search
message text image start default key check contact available required current specific additional existing complete
full free low short wide deep strong clear sure true false real local major minor recent final single double half
whole percent standard normal special basic average maximum minimum upper lower left top bottom front middle
condition solution theory experiment material design structure property function operation application relation unit
volume weight length width height speed distance system program data method state study analysis test paper measure
observe calculate rate young sell pass raise kill build hold cover catch draw choose produce support hit eat break
force reason kind thank please easy hard quick slow several whether within along across behind beyond toward
`,
};
