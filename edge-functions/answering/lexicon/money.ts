// Owns the everyday words of money, invoices, taxes, buying, returning, shipping and stock. Data only; fields.ts describes the format of
// a line.

export const money = `
cost costs price / coûter prix coût > price fee charge charged rate tariff amount EUR / prix tarif montant coût frais facturé
pay paying / payer régler raquer > payable payment due price charge charged fee settle free / paiement règlement montant facturé
cheap cheaper cheapest bargain / moins cher bon marché > price reduced reduction discount lowest / prix réduit réduction remise
pricey expensive dear / cher chère coûteux onéreux
free gratis freebie / gratuit gratuite gratos gratis > free complimentary included charge / gratuit gratuitement offert inclus compris frais
included inclusive / compris inclus
discount reduction rebate deal offer promo cheaper / réduction remise rabais promo ristourne > reduced reduction discount rebate / réduit réduction remise tarif
concession concessions reduced / réduit réduction
coupon voucher giftcard / bon chèque cadeau
refund moneyback / rembourser remboursement > refunded reimbursed returned repaid credited money / remboursé remboursement restitué recrédité
deposit downpayment bond bail / caution acompte arrhes garantie dépôt consigne
blocked held block hold / bloqué bloquer empreinte prélevé > deposit blocked guarantee / caution garantie dépôt empreinte
released release freed / libéré débloqué restitué > released returned refunded / restitué libéré remboursé
instalment instalments installments / échéance mensualité fois > instalment instalments / mensualités échéances échelonné
bill invoice / facture addition note
receipt / reçu ticket justificatif quittance
quote estimate / devis estimation
overdue unpaid outstanding / impayé échu retard
reminder dunning / relance rappel
owe owed owing due / devoir dette
debt / dette créance
fine penalty / amende pénalité contravention prune
surcharge extra supplement additional / supplément majoration surcoût
fee charge commission / frais commission redevance
cash coins notes banknotes / espèces liquide cash monnaie > cash cashless / espèces liquide
card debit credit visa mastercard / carte cb bancaire > card cashless terminal / carte bancaire
cheque check / chèque
transfer wire / virement virer
directdebit / prélèvement
bank / banque
iban / iban rib
currency / devise monnaie
tax taxes / taxe impôt
vat / tva
tax / impôt fiscal
gross / brut
budget funds funding / budget financement fonds enveloppe
grant subsidy aid / subvention aide
loan borrow lend lent borrowing / prêt emprunt emprunter prêter
sponsor sponsors / sponsor parrain mécène partenaire
donate donation gift / donner
turnover revenue sales / chiffre affaires recettes ventes
profit / bénéfice résultat
shareholder shareholders / actionnaire associé
increase increased rise rose higher / augmentation hausse augmenter relever
decrease decreased fall fell lower drop / baisse diminution diminuer baisser réduire
buy purchase / acheter achat procurer > purchase order buy sold sale available / achat commande vente vendu
sell sold selling flog / vendre vendu vente revendre > sale resale sold transfer exchange / vente revente cession vendu
shop store outlet branch / magasin boutique succursale agence
shopping basket trolley / panier achats caddie
order orders ordering / commande commander
delivery deliver delivered shipping shipped ship / livraison livrer livré expédier expédition
arrive arrives come delivered / arriver arrive livré > delivered delivery arrives / livré livraison délai arrive
parcel package packet box / colis paquet carton
post mail postal / poste courrier postal
track tracking / suivi suivre
courier carrier haulier / transporteur livreur coursier
pickup collect collection / enlèvement collecte retirer récupérer
pickedup fetch / récupérer chercher > collect collected collection pickup / retirer enlevé récupéré
return sendback send / renvoyer retourner rendre rapporter > return returned sent bring back / retour retourné restitué renvoi
bringback / rendre ramener rapporter restituer > returned return given / restitué restitution retour
exchange swap change / échanger échange
broken bust busted broke kaput knackered dead duff / cassé foutu mort naze hs > defective damaged faulty failure breakdown defect / défectueux endommagé panne défaut
damage damaged scratched scratch dented / abîmer abîmé rayé rayure dégât dommage endommagé détérioré
warranty guarantee / garantie
repair fix mend fixed repairing / réparer réparation dépanner retaper > repaired repair service workshop / réparation réparé atelier dépannage
spare / rechange détachée
replace replacement / remplacer remplacement changer
stock inventory remaining / stock reste restant inventaire
soldout sold gone / épuisé rupture
available availability / disponible disponibilité
warehouse storage depot / entrepôt dépôt réserve
shelf shelves rack / étagère rayon
supplies provisions / fournitures approvisionnement
supplies supply supplier / fournir fournit fournisseur
order reorder / réassort réapprovisionner commander
cancel cancelled calloff cancellation scrap / annuler annulation décommander annulé > cancel cancelled withdrawal withdraw withdraws postponed / annulation annulé résiliation désistement rétractation
withdraw withdrawal / rétractation rétracter désister
terminate termination end / résilier résiliation
subscription subscribe membership / abonnement abonner adhésion
renew renewal extend extended extension / renouveler renouvellement prolonger prolongation reconduction
contract deal agreement / contrat accord convention
commitment / engagement
expire expires expired / expirer périmé échéance
customs duty / douane douanier
weight heavy weigh / poids lourd peser
second hand used secondhand / occasion
new / neuf nouveau
size sizes / taille pointure
choice assortment / choix gamme assortiment
brand / marque
wholesale bulk / gros
sample / échantillon
loyalty / fidélité
complaint complain / réclamation réclamer plaindre
compensation compensate compensated damages / indemnité indemnisation dédommagement indemniser
insurance insure insured / assurance assurer assuré
excess deductible / franchise
claim / sinistre réclamation déclaration
credit topup / recharger crédit recharge > credit load balance / crédit recharge
leftover remaining unused / restant reste inutilisé
leftover > unused remaining credit balance / restant crédit
balance remainder / reliquat
limit maximum cap / limite plafond maximum
liable liability responsible blame fault / responsable responsabilité faute > liable liability bear / responsable responsabilité charge
hire rent rental > rental hire rent / location louer loyer
louer / > rental hire rent / location louer
membership dues / cotisation
entry admission entrance / entrée accès
ticket tickets pass passes / billet billets ticket pass
reservation booking book booked reserve / réserver réservation résa
produce produces generate yield output production / produire produit production rendement
dispute contest challenge / contester contestation litige
bonus / prime intéressement participation gratification
`;

export const moneyPhrases = `
paid back = refund
pay back = refund
down payment = downpayment
gift card = giftcard
bon cadeau = giftcard
carte cadeau = giftcard
direct debit = directdebit
prélèvement automatique = directdebit
send back = sendback
sent back = sendback
bring back = bringback
give back = bringback
sold out = soldout
en rupture = soldout
call off = calloff
called off = calloff
second hand = secondhand
top up = topup
money left = leftover
money left over = leftover
free of charge = free
at no charge = free
costs nothing = free
no charge = free
ne coûte rien = gratuit
ne coute rien = gratuit
at no cost = free
without charge = free
sans frais = gratuit
sans supplément = gratuit
bon marché = cheap
in instalments = instalment
credit note = voucher
`;
