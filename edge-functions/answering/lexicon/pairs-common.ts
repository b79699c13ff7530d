// Owns the commonest verbs and words of place, time and nature, each with its translation. Data only; fields.ts describes the format. One
// word in each language: a second one that texts use for other things loses answers.

export const commonPairs = `
live / habiter
push / pousser
pull / tirer
catch / attraper
lift hoist / soulever lever
enter / entrer
look watch / regarder
hear listen / entendre écouter
study / étudier
understand / comprendre
forget / oublier
believe / croire
wake / réveiller
crane hoist / grue
sill threshold / seuil
catamaran multihull / catamaran multicoque
sand / sable
brush / brosse
saw / scie
thief / voleur
crowd / foule
map / carte
left / gauche
top / haut
bottom / bas
far / loin
corner / coin
edge / bord
middle / milieu
hill / colline
countryside / campagne
sky / ciel
moon / lune
century / siècle
always / toujours
never / jamais
beautiful / beau
alive / vivant
race / course
cloth / tissu
captain / capitaine
soldier / soldat
chart / graphique
growth / croissance
view / vue
pontoon / ponton
berth mooring / mouillage
wave / vague
bath / bain
neck / cou
bone / os
tomato / tomate
carrot / carotte
`;
