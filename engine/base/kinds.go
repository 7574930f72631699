package base

import "standoff/engine"

// The kinds of the basic box: cards from 16, characters from 40, house rules from 60.
const (
	Bang engine.Kind = iota + 16
	Missed
	Beer
	Panic
	CatBalou
	Duel
	Stagecoach
	GeneralStore
	Indians
	Gatling
	Saloon
	WellsFargo
	Barrel
	Dynamite
	Jail
	Mustang
	Scope
	Volcanic
	Schofield
	Remington
	RevCarabine
	Winchester
)

// The characters.
const (
	BartCassidy engine.Kind = iota + 40
	BlackJack
	CalamityJanet
	ElGringo
	JesseJones
	Jourdonnais
	KitCarlson
	LuckyDuke
	PaulRegret
	PedroRamirez
	RoseDoolan
	SidKetchum
	SlabTheKiller
	SuzyLafayette
	VultureSam
	WillyTheKid
)

// The house rules.
const (
	Rewards engine.Kind = iota + 60
	Victory
)
