import type { FileDialect } from './dialects.ts'
import type { Chance } from './random.ts'

/** Names of one column in different suppliers' files. */
const NAMES: Record<string, string> = {
  stock:
    'Stock #,ReferenceNum,ReferenceNumber,Stock,Stock Num,Stock_no,StockNo,StockNum,StockNumber,' +
    'VendorStockNumber,VenderStockNumber,Stock Id,Lot Name,Lot #,Lot No,Lot Number,Packet No,RID,' +
    'Inventory,SKU,StockName,Vendor Stock Number,Stk No,SKU Number,Parcel,Variant SKU',
  status: 'Availability,Avail,Status',
  shape: 'Shape,Shp,SHAPE',
  weight:
    'Carat,Carats,CaratSize,CaratWeight,Carat Weight,Ct,CtSize,CtWeight,Weight,Wgt,Sz,Size,Cts',
  color_full: 'Color,Colr,Colour,Col,ColorFullName',
  clarity: 'Clarity,Clar,Clearity,Purity,cl',
  cut: 'Cut Grade,CutGrade,Make,Cut,mk',
  polish: 'Polish,Pol,Pol.,Finish',
  symmetry: 'Symmetry,Sym,Sym.,Symm,Symetry,Sym-metry',
  fluorescence:
    'Flr,Flo,FL,Fls,FlrIntensity,Fluo Intensity,Fluor,Fluor Intensity,Fluor.Intesity,Fluro,' +
    'Fluorescence,Fluorescense,FluorescenceIntensity,FluorIntensity,FluoresenceIntensity',
  fluorescence_color: 'FlrColor,Fluo Color,Fluor Color,FluorColor,fluor.color,floCol,fc',
  measurements: 'Measurement,Measurements,Dimensions,Dimension,Meas,mes,LxWxH',
  length: 'MeasLength,Meas Length,Measurements Length,Length,MLength,Meas1',
  width: 'MeasWidth,Meas Width,Measurements Width,Width,MWidth,Meas2',
  depth: 'MeasDepth,Meas Depth,Measurements Depth,Height,MDepth,MeasHeight,Meas3',
  lab:
    'Lab,Cert,Certificate,Laboratory,Certifier,Cert Type,Certification,Grading Lab,' +
    'GRADING REPORT,Lab - Cert,Report 1,Certificate Type,certLab',
  cert:
    'Cert Num,Cert #,CertID,CertificateID,Certificate Id,CertificateNum,CertificateNumber,' +
    'Certificate No,CertNo,CertNum,CmPub,Report No,ReportNo,ReportNumber,Lab Number,cn,Report #,' +
    'Certificate #,Certificate Number 1,GIA NO',
  per_carat:
    'RapnetAskingPrice,AskingPrice,PerCarat,Per Carat,PerCt,Prc,Price,PriceCarat,PriceCt,' +
    'PricePerCarat,Price Per Carat,PricePerCt,Price/Ct,Price / Carat,PRICE / CT,Px,$/ct,PPC,Rate,' +
    'ap,Price/Cts,PR/CT,Price Per Karat,RapNet Price',
  total: 'Total Price,TotalPrice,TOTAL,Amount,CASH AMOUNT,Total $,tp,Total Amount,Price',
  list: 'Rap,Rap Price,RapPrice,List p/c,Rap $,LIST,FullRAPPrice',
  discount:
    'PctRapNetDiscount,Rap netDisc,RapnetDiscount,RapnetDiscountPct,RapnetDiscountPercent,' +
    'RapnetDiscPct,RapnetDpx,RapnetRapPct,RDisc,RDiscount,RDiscountPct,RDiscPct,RDpx,RRapPct,' +
    'Disc,Disc(%),%/Rap,Rap%,% Rap,% Off RAP,OFFRAPAPORT,Net%,Back%,Price Percentage,Discount %',
  depth_percent: 'DepthPercent,DEPTH%,Depth %,Depth,dp,Dep%',
  table: 'TablePercent,Table Percent,TablePct,Tbl,TBL,Table,Table %,tb,Tab%,tableth',
  girdle_thin: 'Girdle Thin,GirdleMin,Girdle Min,GIRDLE FROM,Girdle Thinnest,Girdle (thinnest)',
  girdle_thick: 'Girdle Thick,GirdleMax,Girdle Max,GIRDLE TO,Girdle Thickest,Girdle (thickest)',
  culet: 'Culet,CuletSize,CuletGrade,Cullet,CUL,Culet Size,cs',
  crown_angle: 'CrownAngle,Crown Angle,CA,C.A,Cr >',
  pavilion_angle: 'PavilionAngle,Pavillion Angle,Pavilion Angle,PA,Pav >',
  pavilion_depth: 'PavilionDepth,Pavilion Depth,Pavillion Depth,Pavilion %,Pavilion,Pavil',
  treatment: 'Treatment,Enhance,Enhancement,Enhancements,Enhance-ments,Treatments',
  type: 'Type,Diamond Type,Stone Type',
  method: 'Growth Type,labgrownType',
  country: 'Country,CountryLocation,LotCountry,Location',
  cert_url:
    'CertFile,CertFilename,CertificateFile,CertificateImage,CertImage,Cert Image URL,CertURL,' +
    'Certificate URL,CertificateLink,File',
  image: 'DiamondImage,Image,ImageFile,ImageLink,Photo,DiaImage,visualizationImageUrl',
  video: 'VideoLink,VIDEO URL,VideoUrl,Video',
  partner:
    'Pair Stock #,MatchedPairStockNumber,MatchingVendorStockNumber,Pair Vendor Stock Number,' +
    'Matching Stock #,PAIR,PairLotId',
  separable: 'IsMatchedPairSeparable,IsMatchedPairSeperable,PAIR SEPARABLE,Separable',
  stones:
    'Parcel Stones,ParcelStoneCount,Parcel number of stones,# Stones,STONES,ParcelUnits,' +
    'Number of Diamonds',
  eye_clean: 'EyeClean,Eye Clean',
  shade: 'Shade,Color Shade,Colour Shade,Tinge',
  milky: 'Milky,MILKY',
  inclusion: 'Black Inclusion,BlackInclusion,Inclusion Black',
}

const NEEDED = ['stock', 'shape', 'weight', 'color_full', 'clarity', 'lab', 'cert', 'type']
/** Which columns state the price; at least one of these sets. */
const PRICES = [
  ['per_carat'],
  ['total'],
  ['per_carat', 'total'],
  ['list', 'discount'],
  ['list', 'discount', 'per_carat'],
  ['discount', 'per_carat', 'total'],
]

/** Columns of any supplier under any of their names, in any order. */
export function mixedDialect(chance: Chance): FileDialect {
  const prices = chance.pick(PRICES)
  const sides = chance.pick([['measurements'], ['length', 'width', 'depth']])
  const optional = Object.keys(NAMES).filter(
    (kind) =>
      !NEEDED.includes(kind) &&
      !PRICES.some((set) => set.includes(kind)) &&
      !['measurements', 'length', 'width', 'depth'].includes(kind) &&
      chance.happens(0.75),
  )
  const kinds = chance.shuffled([...NEEDED, ...prices, ...sides, ...optional])
  const columns = kinds.map((kind) => [chance.pick(NAMES[kind].split(',')), kind] as const)
  return { name: 'Mixed names', format: 'text', columns }
}
