package dodge

import "standoff/engine"

// The kinds of this box: cards from 64, characters from 90, the house rule 110.
const (
	Punch engine.Kind = iota + 64
	Dodge
	Springfield
	Brawl
	RagTime
	Tequila
	Whisky
	Hideout
	Binocular
	Bible
	Sombrero
	TenGallonHat
	IronPlate
	Knife
	Derringer
	Pepperbox
	BuffaloRifle
	Howitzer
	Canteen
	PonyExpress
	CanCan
	Conestoga
)

// The characters.
const (
	ApacheKid engine.Kind = iota + 90
	BelleStar
	BillNoface
	ChuckWengam
	DocHolyday
	ElenaFuente
	GregDigger
	HerbHunter
	JoseDelgado
	MollyStark
	PatBrennan
	PixiePete
	SeanMallory
	TequilaJoe
	VeraCuster
)

// ThreePlayers is the house rule of games without a Sheriff.
const ThreePlayers engine.Kind = 110
