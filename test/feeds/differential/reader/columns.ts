/** Names of columns from the trade's upload guides, by what they may hold. */
const NAMES: Record<string, string> = {
  stock:
    'Stock #,ReferenceNum,ReferenceNumber,Stock,Stock Num,Stock_no,StockNo,StockNum,StockNumber,' +
    'VendorStockNumber,VenderStockNumber,Stock Id,Lot Name,Lot #,Lot No,Lot Number,Packet No,RID,' +
    'Inventory,SKU,StockName,Vendor Stock Number,stock_num,Item ID #,Supplier Stock Ref,vendor_sku,' +
    'Stk No,SKU Number,Parcel,Variant SKU',
  status: 'Availability,Avail,Available,Status,shipping_availability',
  shape: 'Shp,Shape,fullShape,Cut',
  weight:
    'Carat,Carats,CaratSize,CaratWeight,Carat Weight,Ct,CtSize,CtWeight,Weight,Wgt,Sz,Size,Cts',
  color: 'Color,Colr,Colour,Col,ColorFullName',
  clarity: 'Clarity,Clar,Clearity,Purity,cl',
  cut: 'Cut Grade,Cut,CutGrade,Make,mk,Make (Cut Grade)',
  polish: 'Polish,Finish,Pol',
  symmetry: 'Symmetry,Sym,Symm,Symetry,Sym-metry',
  fluorescence:
    'Flr,Flo,FL,Fls,FlrIntensity,Fluo Intensity,Fluor,Fluor Intensity,Fluor.Intesity,Fluorescence,' +
    'FluorescenceIntensity,FluorIntensity,FluoresenceIntensity,Fluro,Fluorescense',
  measurements:
    'Measurement,Measurements,Dimensions,Dimension,Meas,mes,LxWxH,' +
    'Measurements (LengthxWidthxHeight)',
  length: 'MeasLength,Measurements Length,Measurement Length,Length,Meas1,MLength',
  width: 'MeasWidth,Measurements Width,Measurement Width,Width,Meas2,MWidth',
  depth:
    'MeasDepth,Measurements Depth,Measurement Depth,Measurements Height,Height,MeasHeight,Meas3,' +
    'MDepth,Depth',
  depthPercent: 'Depth,Depth %,DepthPercent,Depth Percent,dp,Dep%',
  table: 'Table,Table %,TablePercent,TablePct,Tbl,tb,Tab%,tableth',
  lab:
    'Lab,Cert,Certificate,Laboratory,Certifier,Cert Type,Certification,Grading Lab,GRADING REPORT,' +
    'Lab - Cert,Report 1,certificate_lab,Cert/Lab,Certificate Type,certLab',
  cert:
    'Cert Num,Cert #,CertID,CertificateID,CertificateNum,CertificateNumber,Certificate No,CertNo,' +
    'CertNum,CmPub,Report No,ReportNo,ReportNumber,Report #,Certificate #,Lab Number,cn,Certificate,' +
    'Cert/Lab,Certificate Number 1,Certificate 1,GIA NO',
  perCarat:
    'RapNet Price,RapnetAskingPrice,AskingPrice,PerCarat,PerCt,Prc,Price,PriceCarat,PriceCt,' +
    'PricePerCarat,PricePerCt,Price/Ct,Px,$/ct,PPC,Rate,ap,Cash Price,cost_per_carat,Price/Cts,' +
    'PR/CT,Price Per Karat',
  total:
    'Total Price,TotalPrice,TOTAL,Amount,CASH AMOUNT,Total $,Total Amount,tp,total_sales_price,' +
    'cost,Price',
  discount:
    'PctRapNetDiscount,Rap netDisc,RapnetDiscPct,RapnetDpx,RapnetRapPct,RDiscount,RDiscountPct,' +
    'RDiscPct,RDpx,RRapPct,Rapnet Discount %,RapnetDiscount,RapnetDiscountPct,RapnetDiscountPercent,RDisc,Disc,Disc(%),' +
    'Disc %,%/Rap,Rap%,% Rap,% Off RAP,Off Rap %,OFFRAPAPORT,Net%,Back%,Price Percentage,Discount,' +
    'Discount %,discount_percent,% Off IDEX List,CASH PRICE%',
  list: 'Rap,Rap Price,RapPrice,Rap $,List p/c,FullRAPPrice,LIST',
  girdle: 'Girdle,GirdleFromTo,Girdle (From / To),gd',
  girdleThin:
    'Girdle Thin,GirdleMin,GIRDLE FROM,Girdle Thinnest,Girdle (thinnest),GirdleThin,girdle_thin',
  girdleThick:
    'Girdle Thick,GirdleMax,GIRDLE TO,Girdle Thickest,Girdle (thickest),GirdleThick,girdle_thick',
  culet: 'Culet,CuletSize,CuletGrade,Cullet,CUL,cs',
  crownAngle: 'CrownAngle,C.A,CA,Cr >',
  pavilionAngle: 'PavilionAngle,Pavillion Angle,PavAngle,PA,Pav >',
  pavilionDepth: 'PavilionDepth,Pavilion,Pavilion %,Pavil,Pavillion Depth,PavDepth,PD,pavHeight',
  hue:
    'FancyColor,FancyColorMainBody,FC-Main Body,FCMainBody,FancyMainColorBody,FCColor,' +
    'Natural Fancy Color,fancy_color_dominant_color',
  intensity:
    'FCIntensity,FC- Intensity,Fancy Intensity,Fancy Color Intensity,' +
    'Natural Fancy Color Intensity',
  overtone:
    'FCOvertone,FC- Overtone,FancyColorOvertones,Fancy Color Overtone,Fancy Overtone,' +
    'Natural Fancy Color Overtone',
  treatment: 'Treatment,Enhance,Enhancement,Enhancements,Enhance-ments,Treatments,Other Treatment',
  kind: 'Type,Diamond Type,Stone Type,Origin,lg,lab_grown,Growth Type,labgrownType',
  remark:
    'Comment,Comments,Remarks,REMARK,Lab comment,Certificate comment,Report Comments,Cert comment,' +
    'Cert comments,Member Comments,Member Comment',
  country: 'Country,CountryLocation,LotCountry,Country Name,Country Code',
  place: 'Location',
  partner:
    'Pair Stock #,MatchedPairStockNumber,MatchingVendorStockNumber,Pair Vendor Stock Number,' +
    'Matching Stock #,PAIR,PairLotId,Pair Stock Number,Pair Stock Ref.,pair_stock_num,' +
    'MATCHING PAIR SKU',
  stones:
    'Parcel Stones,ParcelStoneCount,Parcel number of stones,# Stones,STONES,ParcelUnits,' +
    'Number of Diamonds',
  certUrl:
    'File,CertFile,CertFilename,CertificateFile,CertificateImage,CertImage,Cert Image URL,CertURL,' +
    'Certificate URL,CertificateLink,Cert Link,Report Filename,pdf,Certificate Path,' +
    'orig_certificate_url',
  image:
    'DiamondImage,visualizationImageUrl,Image,ImageFile,ImageLink,Photo,DiaImage,Image URL,Image Path,' +
    'orig_primary_image_url',
  video: 'VideoLink,VIDEO URL,Video,orig_video_url',
  eyeClean: 'EyeClean,Eye Clean',
  shade: 'Shade,colorShade,Colour Shade,Tinge',
  milky: 'Milky',
  inclusion: 'Black Inclusion,Inclusion Black',
}

/** Names that are the number of a stone when there is no better one. */
const plain = (name: string) =>
  name
    .toLowerCase()
    .replace(/\b(inr|usd|eur|gbp)\b/g, '')
    .replace(/[^a-z0-9%#$/>]/g, '')

const FIELDS = new Map<string, string[]>()
for (const [field, names] of Object.entries(NAMES))
  for (const name of names.split(',')) {
    const fields = FIELDS.get(plain(name)) ?? []
    FIELDS.set(plain(name), [...new Set([...fields, field])])
  }

/** What a column of this name may hold. */
export function fieldsOf(name: string): string[] {
  const key = plain(name)
  const known = FIELDS.get(key)
  if (known) return known
  // "Girdle Condition" and "Table Open" are not what they begin with.
  return FIELDS.get(key.replace(/[%#$/>]/g, '')) ?? []
}

/** The currency that a name states. */
export function currencyIn(name: string): string | undefined {
  return /\b(INR|USD|EUR|GBP)\b/i.exec(name)?.[1].toUpperCase()
}
