const SQUARE = { ratio_max: 1.054, ratio_min: 1 }

/** Length to width ratios by shape, for its square and its rectangular form. */
export const GEM_RATIOS = {
  asscher: { square: SQUARE },
  cushion: { rectangular: { ratio_max: 1.2, ratio_min: 1.1 }, square: SQUARE },
  emerald: { rectangular: { ratio_max: 1.55, ratio_min: 1.3 } },
  marquise: { rectangular: { ratio_max: 2, ratio_min: 1.9 } },
  oval: { rectangular: { ratio_max: 1.55, ratio_min: 1.35 } },
  pear: { rectangular: { ratio_max: 1.6, ratio_min: 1.45 } },
  princess: { square: SQUARE },
  radiant: { rectangular: { ratio_max: 1.55, ratio_min: 1.3 } },
} as const
