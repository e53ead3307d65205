import { describe, expect, it } from 'vitest'
import type { FieldName } from '../../src/feeds/mapping/fields.ts'
import { fieldsNamed } from '../../src/feeds/mapping/header-names.ts'
import { fitsField } from '../../src/feeds/mapping/value-fits.ts'
import { readColor } from '../../src/feeds/values/color.ts'
import { readShape } from '../../src/feeds/values/shape.ts'
import { isShapeText } from '../../src/feeds/values/shape-codes.ts'
import { readStones } from './feed-support.ts'

/** Column names of the trade's upload guides and of files that were met, by what they can mean. */
const NAMES: Partial<Record<FieldName, string>> = {
  vendor_sku: `Stock #|ReferenceNum|ReferenceNumber|Stock|Stock Num|Stock_no|StockNo|StockNum|StockNumber|
    VendorStockNumber|VenderStockNumber|Stock Id|Lot Name|Lot #|Lot No|Lot Number|Packet No|RID|
    Inventory|SKU|StockName|Vendor Stock Number|stock_id|stockId|diamond_id|ID|stock_num|
    Item ID #|Item ID|Supplier Stock Ref|sr|SerialNumber|vendor_sku|SKU Number|Stk No|Parcel|
    Variant SKU|Pkt No|REF#|Ref Number|GLOBALNO|Item No|Reference No.|Our Stock #|
    diamond.supplierStockId`,
  availability: 'Availability|Avail|Available|Status|shipping_availability|on_hand',
  is_active: 'Is Active|Active',
  shape: `Shape|Shp|SHAPE|Cut|fullShape|ShapeTitle|shape_long|shape_short|Rap Shape|SHAP.|Shp#|Sha|
    Shape_Code`,
  weight: `Carat|Carats|CaratSize|CaratWeight|Carat Weight|Ct|CtSize|CtWeight|Weight|Wgt|Sz|Size|Cts|
    carats|TOTAL CTS|Cts#|Wt.|weigh|CRTWT|Total Weight|Total Wt|Polish Wt|Net Weight|TCW`,
  color: `Color|Colr|Colour|Col|ColorFullName|ColorTitle|Rap Color|Col#|clours|Color_Code|
    Primary Color`,
  clarity: `Clarity|Clar|Clearity|Purity|cl|ClarityTitle|Rap Clarity|Cla.|CLERITY|CLRTY|Clari|Pur|Quality`,
  cut_grade: `Cut Grade|Cut|CutGrade|Make|mk|Make (Cut Grade)|CutLongTitle|CUT#|Prop.|Cut Prop|Proportions`,
  polish_grade: 'Polish|Finish|Pol|Pol.|PolishTitle',
  symmetry_grade: `Symmetry|Sym|Sym.|Symm|Symetry|Sym-metry|SymmetryTitle|SYM#|SYMN|SymName`,
  fluorescence: `Fluorescence Intensity|Flr|Flo|FL|Fls|FlrIntensity|Fluo Intensity|Fluor|Fluor Intensity|
    Fluor.Intesity|Fluorescence|FluorescenceIntensity|FluorIntensity|FluoresenceIntensity|
    fluor_intensity|FluorescenceIntensityTitle|Fluro|Fluorescense|Fluore#|Flore|FLOURESENCE|
    Fluores..|FLUORS|FlrIntens|Flourence|Fluorescence Int.|
    diamond.certificate.floInt`,
  fluorescence_color: `Fluorescence Color|FlrColor|Fluo Color|Fluor Color|FluorColor|fluor.color|
    floCol|fc|fluorescence_color`,
  measurements: `Measurements|Measurement|Dimensions|Dimension|Meas|mes|LxWxH|
    Measurements (LengthxWidthxHeight)|Dimension (0\\0\\0)|L * W * H|L*W*D|Measurment|L x W`,
  length: `MeasLength|Meas1|Measurements Length|Length|Meas Length|meas_length|MEASUREMENT LENGTH|
    MaxDiameter|MLength|MES1`,
  width: `MeasWidth|Meas2|Measurements Width|Width|Meas Width|meas_width|MinDiameter|MWidth|MES2`,
  depth: `MeasDepth|Meas3|Measurements Depth|Height|MeasHeight|Meas Depth|Measurements Height|MDepth|
    Depth|MES3|HGT`,
  lab: `Lab|Cert|Certificate|Laboratory|Certifier|Cert Type|Certification|Grading Lab|GRADING REPORT|
    Lab - Cert|Report 1|certificate_lab|LabTitle|Cert/Lab|Certificate Type|certLab|Cert From|
    CERTI_NAME`,
  cert_num: `Certificate #|Report #|Cert Num|Cert #|CertID|CertificateID|Certificate Id|CertificateNum|
    CertificateNumber|Certificate No|CertNo|CertNum|CmPub|Report No|ReportNo|ReportNumber|
    Lab Number|cn|CertificationNumber|certificate_number|cert_num|Certificate|
    Certificate Number 1|Certificate 1|GIA NO|REP NO|Lab #|GIA Cert #|IGI Report No|Lab Report #|
    Lab Cert #|Certification No`,
  cert_num_2: 'Certificate Number 2|Certificate 2',
  price_per_carat: `RapNet Price|RapnetAskingPrice|AskingPrice|PerCarat|Per Carat|PerCt|Prc|Price|PriceCarat|
    PriceCt|PricePerCarat|Price Per Carat|PricePerCt|Price/Ct|Price / Carat|PRICE / CT|Px|$/ct|
    PPC|Rate|ap|Cash Price|Index Price|Index Asking Price|CashPrice|cost_per_carat|
    price_per_carat|Price Per Karat|PR/CT|Price/Cts|Price/Cts INR|usd|Net Rate|NET_RATE|P/CTS|
    Per Ct $|PerCrt|PPC$|Price $/cts|Price / Crts|Price/CTS $|Rate $/CT|RATE($/CT)|Final Rate|
    SaleRate|Base Rate|Selling Price|Net Price/Ct|Net $/ct|Final Price/Ct|Sale $/Ct|Cost/Ct|
    Price (EUR/ct)|Price (US$/ct)`,
  total_price: `Total Price|TotalPrice|TOTAL|Amount|CASH AMOUNT|Total $|tp|total_sales_price|Total Cash Price|
    cost|Price|usd|Total Price EUR|$ Total|Amt $|Net Amt|Net Amt($)|NetAmt|Final Amt|
    Asking Amount|T. AMOUNT|T.Amt|TotalValue $|SaleAmt|Amount US$|Value|Net Total|Sales Price`,
  list_price: `LIST|FullRAPPrice|Rap|Rap Price|List p/c|Rap $/CT|RAP RTE|Rapa Rate|RAPAPORT_RATE|NEW RAP|
    LiveRAP|RAP PRICE PER CARAT|Rap_per_Crt|RRATE|Base Rate`,
  total_list_price: `Total List|rapvalue|rapaport value|RapVlu|RAP AMT($)`,
  discount_percentage: `RapNet Discount %|PctRapNetDiscount|Rap netDisc|RapnetDiscount|RapnetDiscountPct|
    RapnetDiscountPercent|RapnetDiscPct|RapnetDpx|RapnetRapPct|RDisc|RDiscount|RDiscountPct|
    RDiscPct|RDpx|RRapPct|Disc|Disc(%)|%/Rap|Rap%|% Rap|% Off RAP|OFFRAPAPORT|Net%|Back%|
    Price Percentage|Cash Price Discount %|IndexDiscountPercent|CASH PRICE%|discount|
    PercentOffRapnet|% Off IDEX List|discount_percent|Rap Disc %|RAP DIS|RapDis|% Back|% BELOW|
    Back -%|Back (-%)|Base Off%|Asking Disc. %|Final Disc%|Offer Disc.(%)|SaleDisc|DIS|DIS.|
    rap_per|B OFF %|%|% Off|Discount from Rap|Disc From Rap %|% Below Rap|% of Rap`,
  depth_percentage: 'Depth %|DepthPercent|DEPTH%|Depth|dp|depth_percent|Depth Percent|Dep%',
  table_percentage: `Table %|TablePercent|Table Percent|TablePct|Tbl|TBL|Table|tb|table_percent|
    Tab%|tableth`,
  girdle_min: `Girdle Thin|GirdleMin|Girdle Min|GIRDLE FROM|Girdle Thinnest|Girdle (thinnest)|
    girdle_min|GirdleSizeMin|girdle_thin|GirdleThin|Girdle(thinnest)`,
  girdle_max: `Girdle Thick|GirdleMax|Girdle Max|GIRDLE TO|Girdle Thickest|girdle_max|
    GirdleSizeMax|girdle_thick|GirdleThick|Girdle2`,
  girdle: 'Girdle|gd|GirdleFromTo|Girdle (From / To)|Girdle Condition',
  culet_size: 'Culet Size|Culet|CuletSize|CuletGrade|Cullet|CUL|cs|CuletSizeTitle|culet_size',
  crown_angle: 'Crown Angle|CrownAngle|C.A|CA|crown_angle|Cr >',
  pavilion_angle: 'Pavilion Angle|PavilionAngle|Pavillion Angle|PA|pavAngle|PavillionAngle|Pav >',
  pavilion_depth: `Pavilion Depth|PavilionDepth|Pavilion|Pavilion %|Pavil|Pavillion Depth|
    PavillionDepth|pavDepth|pavHeight|pv|Pavilion Depth %|Pavilion Height %|Pav Ht`,
  fancy_color: `Fancy Color|FancyColor|FancyColorMainBody|FC-Main Body|FCMainBody|
    FancyMainColorBody|FCColor|fancy_color_dominant_color|Natural Fancy Color|FancyColorFullName`,
  fancy_color_intensity: `Fancy Color Intensity|FCIntensity|FC-Intensity|FC- Intensity|
    Fancy Intensity|fancyIntensity|Natural Fancy Color Intensity`,
  overtone: `Fancy Color Overtone|FCOvertone|FC- Overtone|FancyColorOvertones|Fancy Overtone|
    fancyOvertone|Fancy color overtones|Natural Fancy Color Overtone`,
  treatment: 'Treatment|Enhance|Enhancement|Enhancements|Enhance-ments|Treatments',
  hpht_treated: 'HPHT',
  color_enhanced: 'Color Enhanced|Treated Color',
  eye_clean: 'Eye Clean|EyeClean|eyeClean',
  country_code: `Country|CountryLocation|LotCountry|Location|Country Code|Country Name|
    Supplier country|cty`,
  pair_vendor_sku: `Pair Stock #|MatchedPairStockNumber|MatchingVendorStockNumber|
    Pair Vendor Stock Number|Matching Stock #|PAIR|PairLotId|Pair Stock Number|Pair Stock Ref.|
    pair_stock_num|MATCHING PAIR SKU`,
  pair_set: 'MatchedSetId',
  is_pair: 'Is Matched Pair|IsMatchPair|Matched Pair|MATCHING PAIRS|pair',
  pair_separable: `Is Matched Pair Separable|IsMatchedPairSeparable|IsMatchedPairSeperable|
    PAIR SEPARABLE|Separable|is_separable|IsMatchSeparable|IS PAIR SEPARABLE`,
  parcel_stones: `Parcel Stones|ParcelStoneCount|Parcel number of stones|# Stones|STONES|
    ParcelUnits|Number of Diamonds|parcel_stones`,
  cert_url: `Report Filename|CertFile|CertFilename|CertificateFile|CertificateImage|CertImage|
    Cert Image URL|CertURL|Certificate URL|CertificateLink|File|pdf|pdfUrl|cert_url|
    Certificate Path|orig_certificate_url|VerificationUrl|CERT IMAGE|cp|PDFLINK|Certi Url`,
  image_top_url: `Diamond Image|DiamondImage|Image|ImageFile|ImageLink|Photo|DiaImage|Image URL|
    image_url|Image Path|orig_primary_image_url|ip|visualizationImageUrl`,
  video_url: `Video Link|VideoLink|VIDEO URL|VideoUrl|VIDEO|video_url|orig_video_url|HD Video`,
  ux_url: 'Sarine Loupe|3D File|SarinFile|3DViewer URL|orig_3d_360_url',
  original_imported_ext_url: 'Weburl|External Url',
  type: 'lg|lab_grown|Type|StoneType',
  grow_method: 'labgrownType|Growth Type|Type',
  species: 'gemType',
  origin: 'mine_of_origin|mineOfOrigin|Mine of Origin|ORIGIN',
  currency_code: 'currency_code|Price.CurrencyCode',
  returnable: 'is_returnable',
  days_to_return: 'ReturnDays',
  delivery_days_min: 'minDeliveryDays',
  delivery_days_max: 'maxDeliveryDays|DAYS TO SHIP|days_to_ship|estimated_delivery',
  memo: 'vendor_accepts_memo',
}

describe('column names of the trade', () => {
  for (const [field, names] of Object.entries(NAMES)) {
    it(`for ${field} are known`, () => {
      const unknown = names
        .split('|')
        .map((name) => name.trim())
        .filter((name) => !fieldsNamed(name).some((named) => named.field === field))
      expect(unknown).toEqual([])
    })
  }
})

describe('a name with points', () => {
  const stone = (stock: string, price: number) => ({
    stock,
    shape: 'Oval',
    carat: 1.51,
    color: 'G',
    clarity: 'VS1',
    tax: { amount: 120 + price / 100 },
    showcase_price: { value: 2 * price },
    crown: { height: 15, angle: 34.5 },
    star: { length: 50 },
    price: { total: price },
    dimensions: { length: 9, width: 6.4, height: 3.9 },
  })

  it('that is about a part of the stone or about taxes is not that of the stone', async () => {
    const { fields, drafts } = await readStones(JSON.stringify([stone('A', 7550), stone('B', 80)]))
    expect(fields).toMatchObject({
      'tax.amount': null,
      'showcase_price.value': null,
      'crown.height': null,
      'crown.angle': 'crown_angle',
      'star.length': null,
      'price.total': 'total_price',
    })
    const sides = { length: 9, width: 6.4, depth: 3.9 }
    expect(drafts).toMatchObject([
      { cost: '7550.00', ...sides, crown_angle: 34.5 },
      { cost: '80.00', ...sides },
    ])
  })

  it('may be abbreviated: Cr.Height is not the height of the stone', async () => {
    const { fields, drafts } = await readStones(
      'Stock,Shape,Carat,Color,Clarity,L,W,Cr.Height,Cr.Angle,Flo.Color,Depth,Price/Ct\n' +
        'A,Round,1.01,G,VS1,6.43,6.46,15.0,34.5,Blue,61.8,5130\n' +
        'B,Round,1.51,G,VS1,7.33,7.36,14.5,34.5,,62.2,6130\n',
    )
    expect(fields).toMatchObject({ 'Cr.Height': null, 'Flo.Color': 'fluorescence_color' })
    expect(drafts).toMatchObject([
      { length: 6.46, depth: null, depth_percentage: 61.8, crown_angle: 34.5 },
      { length: 7.36, depth: null },
    ])
  })
})

/** Values that occur in files, by the field that has to understand them. */
const VALUES: Partial<Record<FieldName, string>> = {
  availability: `G|Guaranteed Availability|GA|Guaranteed|GuaranteedAvailable|M|Out on Memo|Memo|
    OnMemo|On Memo|STPS|Subject to Prior Sale|NA|Not Available|N|Unavailable|NEW|Not Specified`,
  clarity: 'FL|IF|Loupe Clean|LC|VVS1|VVS2|VS1|VS2|SI1|SI2|SI3|I1|P1|I2|P2|I3|P3|N',
  cut_grade: 'I|Ideal|ID|EX|Excellent|EXC|VG|G|F|P|HA|Premium|EX-2|X1|EX3|3X|Ex Ideal|V. GOOD',
  polish_grade: `I|EX|X|VG-EX|VGEX|VG|V|V.Good|V.G|G-VG|G|GD|F-G|F|FR|P|E|Excellent|EXCELLENT|GV|
    vg|Very Good|ID|Ideal|IDEAL`,
  fluorescence: `N|None|NON|NONE|NN|NG|F|Faint|FT|FNT BL|M|MD|MB|MODER|S|STG BL|STB|SB|VS|VSTB|
    SLT BL|SLY|VSL|VSLB|Strong Blue|MEDIUM BLUE`,
  girdle: `TN|THN|Thin|M|MED|STK|TK|THK|VTK|ETK|XTN|XTK|MED - STK|MEDIUM - SL.THICK|M F`,
  color: 'FY|FLY|Y - Z|K-FAINT BROWN|FIY|FVY|FPY|FDY|IY|FCLY',
  fancy_color_intensity: 'F|FL|I|L|FCLY|IY|FB|FIB|Fancy|Fancy Intense|Fancy Vivid|Fancy Light',
  measurements: '6.1 x 6.2 x 3.8|6.1x6.2x3.8|6.1X6.2X3.8|6.1*6.2*3.8|6.1 6.2 3.8|6.1x6.2|XX',
  lab: 'GIA|AGSL|HRD|IGI|GCAL|DF|EGL|GHI|GSI|IIDGR|PGS|BSC|JGS|WGI|EDR|LGC|NO CERT|None',
  discount_percentage: '-0.24|-30|-37.78|16',
  depth_percentage: '60.70%|61.2|0.612',
}

describe('values of the trade', () => {
  for (const [field, texts] of Object.entries(VALUES) as [FieldName, string][]) {
    it(`for ${field} are understood`, () => {
      const unknown = texts
        .split('|')
        .map((text) => text.trim())
        .filter((text) => !fitsField(field, text, { decimalComma: false }))
      expect(unknown).toEqual([])
    })
  }

  it('for shapes are read, or have a reason of their own', () => {
    const read = `B|BR|RB|RD|RBC|RND|Round Brilliant|P|PS|PSH|PB|PMB|E|EM|EC|PRN|PR|PRIN|PN|PC|
      MDSQB|SMB|MQB|M|MQ|A|CSS|CSSC|AC|C|CB|CU|CUX|CMB|CUSH|CUS|RCRMB|CRC|CSC|CX|RCSB|SCMB|SCX|
      Cushion Brilliant|H|HS|HT|MHRC|O|OV|OMB|R|RAD|RA|RC|RDN|CRB|RCRB|Square Emerald|SQEM|
      SQ. EMERALD|Square Radiant|Long Radiant|LRAD|Trilliant|TR|TRIL|T|Triangular|Baguette|BAG|
      Tapered Baguette|TB|Tapered Bullet|Half Moon|Trapezoid|Hexagonal|Octagonal|Shield|Lozenge|
      Briolette|Calf|European Cut|EU|Old Miner|Rose|ASH|ASCHER|CUSHION B|CUSHION MODIFIED|PRAD|
      PEAR MODIFIED BRILLIANT|BULLET|HALFMOON|TRAPEZE|OLD EUROPEAN|EUROPEAN|RECTANGLE|RECTANGULAR|
      OVAL MIXED CUT|ROUND MODIFIED BRILLIANT|PRI|AS|BRILLIANT CUT|CUSION|CUS.BRILLIANT|EMRALD|
      PAER|MB|OVEL|PRINCES|CRMB|CCRMB|L-RD|Rediant|ASHCHER|LOVE`
    const named = `Kite|Epaulette|Star|Flanders|PENTAGONAL|HEPTAGONAL|NONAGONAL|TETRAGONAL|FAN|
      OTHER|SQ|SQUARE|TP`
    const trimmed = (texts: string) => texts.split('|').map((text) => text.trim())
    expect(trimmed(read).filter((text) => readShape(text) === undefined)).toEqual([])
    expect(trimmed(named).filter((text) => !isShapeText(text))).toEqual([])
    expect(trimmed(named).filter((text) => readShape(text) !== undefined)).toEqual([])
  })

  it('for fancy colors have the hue only where a letter is certain', () => {
    expect(readColor('IY')).toMatchObject({ color: 'YL', fancy_color_intensity: 'INT' })
    expect(readColor('FCLY')).toMatchObject({ color: 'YL', fancy_color_intensity: 'FLT' })
    expect(readColor('FB')).toMatchObject({ color: null, fancy_color_intensity: 'FAN' })
    expect(readColor('FIB')).toMatchObject({ color: null, fancy_color_intensity: 'INT' })
    expect(readColor('IG')).toBeUndefined()
  })
})
