import type { Tool } from './tool.ts'
import { account, getOrder, listOrders, makeQuote, placeOrder } from './tools/orders.ts'
import { curatedDiamonds, searchDiamonds, searchGemstones } from './tools/search.ts'
import { compareStones, getStone, holdStone, releaseHold } from './tools/stones.ts'

/** Every tool, in the order of a purchase. */
export const TOOLS: readonly Tool[] = [
  searchDiamonds,
  searchGemstones,
  curatedDiamonds,
  getStone,
  compareStones,
  holdStone,
  releaseHold,
  makeQuote,
  placeOrder,
  listOrders,
  getOrder,
  account,
]

/** What a model reads before anything else. */
export const INSTRUCTIONS =
  'A wholesale market for diamonds and gemstones. To buy: search, compare_stones, hold_stone, ' +
  'place_order without confirm (a dry run), then with confirm: true once the user has agreed. ' +
  'wholesale_price is what the merchant pays, retail_price what its customers are shown. ' +
  'A refusal has a code, what is wrong, and what to do instead.'
