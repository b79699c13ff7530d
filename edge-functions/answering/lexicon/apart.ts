// Owns the words that share a line of meanings but name different things: stored vectors depend on those lines, so the lines stay
// unchanged and only answers distinguish the words. Data only. "|" separates groups of synonyms; words of one group never match words of
// another group of the same line.

export const apart = `
breakfast | lunch déjeuner | dinner supper dîner souper
vegan végan végétalien | vegetarian végétarien
fridge refrigerator réfrigérateur frigo | freezer congélateur
dog chien | cat chat
son fils boy garçon | daughter fille girl
husband mari boyfriend copain | wife femme girlfriend copine
maternity maternité pregnant enceinte | paternity paternité father père
director directeur directrice | manager responsable
train | bus | tram | metro métro
car voiture automobile | lorry truck camion | van camionnette fourgon
car | auto
wedding mariage marriage | funeral obsèques
cash espèces | card carte | cheque chèque check
`;
