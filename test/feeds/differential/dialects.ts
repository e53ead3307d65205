/**
 * The columns of suppliers' files, in the order and with the names that they have. What stands in a
 * column follows after the sign of equality; cells.ts writes it.
 */
export interface FileDialect {
  name: string
  columns: readonly (readonly [header: string, kind: string])[]
  format: 'text' | 'json'
}

const dialect = (name: string, columns: string, format: 'text' | 'json' = 'text'): FileDialect => ({
  name,
  format,
  columns: columns
    .split(';')
    .map((column) => column.trim())
    .filter((column) => column !== '')
    .map((column) => {
      const at = column.lastIndexOf('=')
      return [column.slice(0, at).trim(), column.slice(at + 1).trim()] as const
    }),
})

export const DIALECTS: readonly FileDialect[] = [
  dialect(
    'RapNet upload',
    `Stock #=stock; Availability=status; Shape=shape; Weight=weight; Color=color; Clarity=clarity;
    Cut Grade=cut; Polish=polish; Symmetry=symmetry; Fluorescence Intensity=fluorescence;
    Fluorescence Color=fluorescence_color; Measurements=measurements; Lab=lab; Report #=cert;
    Treatment=treatment; RapNet Price=per_carat; Rapnet Discount %=discount_share; Cash Price=empty;
    Cash Price Discount %=empty; Fancy Color=hue; Fancy Color Intensity=intensity;
    Fancy Color Overtone=overtone; Depth %=depth_percent; Table %=table; Girdle Thin=girdle_thin;
    Girdle Thick=girdle_thick; Girdle %=girdle_percent; Girdle Condition=girdle_condition;
    Culet Size=culet; Culet Condition=empty; Crown Height=crown_height; Crown Angle=crown_angle;
    Pavilion Depth=pavilion_depth; Pavilion Angle=pavilion_angle; Laser Inscription=inscription;
    Cert comment=comment; Country=country; State=empty; City=city;
    Is Matched Pair Separable=separable; Pair Stock #=partner; Allow RapLink Feed=flag;
    Parcel Stones=stones; Report Filename=cert_url; Diamond Image=image; Sarine Loupe=empty;
    Trade Show=empty; Key to symbols=symbols; Shade=shade; Star Length=star; Center Inclusion=empty;
    Black Inclusion=inclusion; Milky=milky; Open Inclusion=empty; Member Comment=growth_remark;
    Report Issue Date=date; Report Type=empty; Lab Location=empty; Brand=empty; Seller Spec=empty;
    Eye Clean=eye_clean`,
  ),
  dialect(
    'RapNet download',
    `Seller Name=seller; RapNet Account ID=account; Name Code=account; Shape=shape; Weight=weight;
    Color=color_star; Clarity=clarity; Fancy Color=hue; Fancy Intensity=intensity;
    Fancy color overtones=overtone; Cut=cut; Polish=polish; Symmetry=symmetry;
    Fluorescence Color=fluorescence_color; Fluorescence Intensity=fluorescence;
    Measurements=measurements; Meas Length=length; Meas Width=width; Meas Depth=depth; Ratio=ratio;
    Lab=lab; Certificate Number=cert; Stock Number=stock; Treatment=treatment;
    Price Per Carat=per_carat; Price Percentage=discount; Total Price=total;
    Cash Price Per Carat=empty; Cash Price Percentage=empty; Total Cash Price=empty;
    Availability=status; Depth=depth_percent; Table=table; Girdle=girdle; Girdle Min=girdle_thin;
    Girdle Max=girdle_thick; Culet=empty; Culet Size=culet; Culet Condition=empty; Crown=empty;
    Pavilion=empty; Cert Comments=comment; Member Comments=growth_remark; City=city; State=empty;
    Country=country; Is Matched Pair=matched; Is Matched Pair Separable=separable;
    Pair Stock Number=partner; Number of Diamonds=stones; Certificate URL=cert_url; Image URL=image;
    RapSpec=empty; Date Updated=date; Is External Image=flag; Milky=milky; Black inclusion=inclusion;
    Center Inclusion=empty; Shade=shade; Key To Symbols=symbols; Report Issue Date=date;
    Report Type=empty; Lab Location=empty; Brand=empty; HPHT=no; Irradiated=no; Laser Drilled=no;
    Other Treatment=empty; Pavilion Depth=pavilion_depth; Pavilion Angle=pavilion_angle;
    Table Percent=table; Supplier country=country; Depth Percent=depth_percent;
    Crown Angle=crown_angle; Crown Height=crown_height; Laser Inscription=inscription;
    Girdle Condition=girdle_condition; Diamond ID=number`,
  ),
  dialect(
    'Nivoda buyer',
    `stock_id=stock; diamond_id=uuid; ReportNo=cert_plain; shape=shape; carats=weight; col=color;
    clar=clarity; cut=cut; pol=polish; symm=symmetry; flo=fluorescence; floCol=fluorescence_color;
    eyeClean=eye_clean; milky=milky; fancyColor=hue; fancyOvertone=overtone;
    fancyIntensity=intensity; colorShade=shade; length=length; width=width; height=depth;
    depth=depth_percent; table=table; culet=culet; girdle=girdle; starLength=star;
    crownHeight=crown_height; crownAngle=crown_angle; pavAngle=pavilion_angle;
    pavDepth=pavilion_depth; discount=discount; price=total; price_per_carat=per_carat;
    markup_price=markup; markup_currency=currency_usd; lab=lab; pdf=cert_url; video=video;
    image=image; minDeliveryDays=days; maxDeliveryDays=days; country=country_short;
    mine_of_origin=empty; canada_mark_eligible=empty; labgrownType=method; lg=is_grown;
    is_returnable=flag; ReturnDays=days`,
  ),
  dialect(
    'Nivoda supplier',
    `Stock Id=stock; Availability=status; Shape=shape; Carat=weight; Color=color_full;
    Clarity=clarity; $/ct=per_carat; Total price=total; Cut=cut; Pol=polish; Sym=symmetry;
    Certificate #=cert; Measurements Length=length; Measurements Width=width;
    Measurements Depth=depth; Depth%=depth_percent; Table%=table; Girdle%=girdle_percent;
    Culet Size=culet; Girdle Condition=girdle_condition; Pavilion Depth=pavilion_depth;
    Crown Height=crown_height; Crown Angle=crown_angle; Pavilion Angle=pavilion_angle;
    Certificate Url=cert_url; Image=image; Weburl=empty; VIDEO=video;
    Fluorescence Intensity=fluorescence; Fluorescence Color=fluorescence_color; Type=type;
    Milky=milky; Eye Clean=eye_clean; Inscription=inscription; Lab=lab; Treatment=treatment;
    Location=country; State=empty; City=city; Cert comment=comment; COP=empty`,
  ),
  dialect(
    'VDB upload',
    `Stock Id=stock; Availability=status; Shape=shape; Carat=weight; Color=color_full;
    Clarity=clarity; $/ct=per_carat; Cut=cut; Pol=polish; Sym=symmetry; Certificate #=cert;
    Measurements Length=length; Measurements Width=width; Measurements Depth=depth;
    Depth%=depth_percent; Table%=table; Girdle%=girdle_percent; Culet Size=culet;
    Girdle Condition=girdle_condition; Pavilion Depth=pavilion_depth; Crown Height=crown_height;
    Crown Angle=crown_angle; Pavilion Angle=pavilion_angle; Certificate Url=cert_url;
    Image Link=image; Video Link=video; Fluorescence Intensity=fluorescence;
    Fluorescence Color=fluorescence_color; Milky=milky; BGM=empty; Lab=lab; Cert Comment=comment;
    Laser Inscription=inscription; Member Comments=empty; H&A=empty; Country=country;
    Eye Clean=eye_clean; Table Open=empty; Type=type; Tinge=shade; Luster=empty;
    Black Inclusion=inclusion; Growth Type=method; Treatment=treatment`,
  ),
  dialect(
    'VDB answer',
    `id=number; stock_num=stock; shape=shape; size=weight; color=color; clarity=clarity; cut=cut;
    polish=polish; symmetry=symmetry; fluor_intensity=fluorescence; fluor_color=fluorescence_color;
    lab=lab; cert_num=cert_plain; cert_url=cert_url; lab_grown=is_grown; is_fancy=is_fancy;
    fancy_color_dominant_color=hue; fancy_color_intensity=intensity; fancy_color_overtone=overtone;
    depth_percent=depth_percent; table_percent=table; meas_length=length; meas_width=width;
    meas_depth=depth; meas_ratio=ratio; crown_angle=crown_angle; crown_height=crown_height;
    pavilion_angle=pavilion_angle; pavilion_depth=pavilion_depth; girdle_min=girdle_thin;
    girdle_max=girdle_thick; girdle_percent=girdle_percent; culet_size=culet; eye_clean=eye_clean;
    milky=milky; price_per_carat=per_carat; total_sales_price=total; currency_code=currency_usd;
    discount_percent=discount; available=status; pair_stock_num=partner; is_separable=separable;
    parcel_stones=stones; image_url=image; video_url=video; country=country; updated_at=date`,
    'json',
  ),
  dialect(
    'IDEX',
    `Item ID #=stock; Cut=shape; Carat=weight; Color=color; Natural Fancy Color=hue;
    Natural Fancy Color Intensity=intensity; Natural Fancy Color Overtone=overtone;
    Treated Color=empty; Clarity=clarity; Make (Cut Grade)=cut; Grading Lab=lab;
    Certificate Number=cert; Certificate Path=cert_url; Image Path=image; Online Report=empty;
    Price Per Carat=per_carat; Total Price=total; % Off IDEX List=discount; Polish=polish;
    Symmetry=symmetry; Measurements (LengthxWidthxHeight)=measurements; Depth=depth_percent;
    Table=table; Crown Height=crown_height; Pavilion Depth=pavilion_depth;
    Girdle (From / To)=girdle; Culet Size=culet; Culet Condition=empty; Graining=empty;
    Fluorescence Intensity=fluorescence; Fluorescence Color=fluorescence_color;
    Enhancement=treatment; Country=country; State / Region=empty; Pair Stock Ref.=partner; =empty`,
  ),
  dialect(
    'IDEX grown',
    `Item ID=number; Supplier Stock Ref=stock; Cut=shape; Carat=weight; Color=color;
    Natural Fancy Color=hue; Natural Fancy Color Intensity=intensity;
    Natural Fancy Color Overtone=overtone; Treated Color=empty; Clarity=clarity; Cut Grade=cut;
    Grading Lab=lab; Certificate Number=cert; Certificate URL=cert_url; Image URL=image;
    Polish=polish; Symmetry=symmetry; Price Per Carat=per_carat; Total Price=total;
    Measurements Length=length; Measurements Width=width; Measurements Height=depth;
    Depth=depth_percent; Table=table; Crown Height=crown_height; Crown Angle=crown_angle;
    Pavilion Depth=pavilion_depth; Pavilion Angle=pavilion_angle; Girdle From=girdle_thin;
    Girdle To=girdle_thick; Culet Size=culet; Fluorescence Intensity=fluorescence;
    Fluorescence Color=fluorescence_color; Enhancement=treatment; Country Code=country_code;
    Country Name=country; Pair Stock Ref=partner; Pair Separable=separable; Shade=shade;
    Milky=milky; Black Inclusion=inclusion; Eye Clean=eye_clean; Brand=empty; Availability=status;
    Video URL=video; 3DViewer URL=empty`,
  ),
  dialect(
    'Polygon',
    `Supplier ID=account; Shape=shape; Weight=weight; Color=color; Clarity=clarity;
    Total Price=total; Lot Number=empty; Stock Number=stock; Lab=lab; Cert #=cert;
    Certificate Image=cert_url; 2nd Image=empty; Dimension=measurements; Depth %=depth_percent;
    Table %=table; Crown Angle=crown_angle; Crown %=crown_height; Pavilion Angle=pavilion_angle;
    Pavilion %=pavilion_depth; Girdle Thinnest=girdle_thin; Girdle Thickest=girdle_thick;
    Girdle %=girdle_percent; Culet Size=culet; Culet Condition=empty; Polish=polish;
    Symmetry=symmetry; Fluor Color=fluorescence_color; Fluor Intensity=fluorescence;
    Enhancements=treatment; Remarks=growth_remark; Availability=status; FC-Main Body=hue;
    FC- Intensity=intensity; FC- Overtone=overtone; Matched Pair=empty; Separable=separable;
    Matching Stock #=partner; Pavilion=empty; Syndication=flag; Cut Grade=cut; External Url=empty;
    Video=video; Country=country`,
  ),
  dialect(
    'MID House',
    `VendorName=seller; FeedDate=date; Availability=status; StockName=stock; Certificate=cert;
    ParcelUnits=stones; Location=city; Country=country; City=city; State=empty;
    Shape=shape; Weight=weight; ColorFullName=color_full; Clarity=clarity; Lab=lab;
    FCIntensity=intensity; FCOvertone=overtone; FCColor=hue; Cut=cut; Polish=polish;
    Symmetry=symmetry; FluoresenceIntensity=fluorescence; FluorescenceColor=fluorescence_color;
    Length=length; Width=width; Height=depth; LxWxH=measurements; Depth=depth_percent; Table=table;
    CrownHeight=crown_height; CrownAngle=crown_angle; PavillionDepth=pavilion_depth;
    PavillionAngle=pavilion_angle; GirdleFromTo=girdle; GirdleThick=girdle_thick;
    GirdleThin=girdle_thin; GirdleCondition=girdle_condition; GirdlePercent=girdle_percent;
    Culet=culet; CuletCondition=empty; Comments=growth_remark; Treatment=treatment;
    LaserInscription=inscription; Shade=shade; Milky=milky; BlackInclusion=inclusion;
    VerificationUrl=empty; CertificateLink=cert_url; ImageLink=image; Discount=discount;
    TotalPrice=total; PricePerCarat=per_carat; FullRAPPrice=list; AllowOnRap=flag;
    IsMatchPair=matched; PairLotId=partner; IsMatchSeparable=separable`,
  ),
  dialect(
    'Amipi',
    `SKU=stock; SHAPE=shape; CARAT=weight; COLOR=color_full; CLARITY=clarity; GRADING REPORT=lab;
    CUT=cut; POLISH=polish; SYMMETRY=symmetry; FLUORESCENCE=fluorescence; DEPTH=depth_percent;
    TABLE=table; LIST=list; CASH PRICE%=discount; CASH PRICE=per_carat; CASH AMOUNT=total;
    MEASUREMENTS=measurements; MEASUREMENT LENGTH=length; MEASUREMENT WIDTH=width;
    MEASUREMENT DEPTH=depth; RATIO=ratio; GIRDLE=girdle; GIRDLE FROM=girdle_thin;
    GIRDLE TO=girdle_thick; CULET=culet; ORIGIN=origin; MATCHING PAIR SKU=partner;
    IS PAIR SEPARABLE=separable; CERTIFICATE=cert; KEY TO SYMBOL=symbols; REMARK=comment;
    CERT IMAGE=cert_url; INSCRIPTION=inscription; SHADE=shade; H & A=empty;
    CROWN ANGLE=crown_angle; CROWN HEIGHT=crown_height; PAVILION ANGLE=pavilion_angle;
    PAVILION DEPTH=pavilion_depth; DAYS TO SHIP=days; CITY=city; STATE=empty; COUNTRY=country;
    MILKY=milky; EYE CLEAN=eye_clean; BRAND=empty; VIDEO URL=video`,
  ),
  dialect(
    'Ritani',
    `vendor_sku=stock; carat=weight; certificate_lab=lab; certificate_number=cert_plain;
    orig_certificate_url=cert_url; shape=shape; cost=total; cost_per_carat=per_carat;
    clarity=clarity; color=color_code; cut=cut; culet_size=culet; polish=polish; depth=depth;
    depth_percent=depth_percent; width=width; length=length; length_width_ratio=ratio;
    measurements=measurements; fluorescence=fluorescence; girdle=girdle; girdle_thin=girdle_thin;
    girdle_thick=girdle_thick; symmetry=symmetry; table_percent=table; key_to_symbols=symbols;
    crown_height=crown_height; crown_angle=crown_angle; pavilion_depth=pavilion_depth;
    pavilion_angle=pavilion_angle; city=city; country=country; days_to_ship=days;
    lab_grown=is_grown; comments=comment; orig_primary_image_url=image; orig_video_url=video`,
  ),
  dialect(
    'Punchmark',
    `SKU=stock; Shape=shape; Weight=weight; Color=color_full; Clarity=clarity; Price=total;
    Cut=cut; Polish=polish; Symmetry=symmetry; Lab=lab; Certificate Number=cert;
    Measurements=measurements; Fluorescence=fluorescence; Depth=depth_percent; Table=table;
    Image=image; Origin=origin`,
  ),
  dialect(
    'Surat office',
    `Sr No=serial; Packet No=stock; Status=status; Shp=shape; Cts=weight; Col=color_full;
    Clar=clarity; Cut=cut; Pol=polish; Symm=symmetry; Fls=fluorescence; Lab=lab; Cert No=cert;
    Rap=list; Disc %=discount; Rate=per_carat; Amount=total; Meas=measurements;
    Depth %=depth_percent; Tbl=table; Girdle=girdle; Cul=culet; CA=crown_angle; CH=crown_height;
    PA=pavilion_angle; PD=pavilion_depth; Key To Symbol=symbols; Shade=shade; Milky=milky;
    Location=country; Comment=growth_remark; Cert Link=cert_url; Video=video; Image=image`,
  ),
  dialect(
    'List and discount',
    `Stock No=stock; Shape=shape; Carats=weight; Colour=color_full; Purity=clarity; Make=cut;
    Polish=polish; Sym=symmetry; Flo=fluorescence; Certifier=lab; ReportNo=cert; Rap Price=list;
    Off Rap %=discount; LxWxH=measurements; Depth=depth_percent; Table=table;
    Girdle (thinnest)=girdle_thin; Girdle (thickest)=girdle_thick; Culet=culet; Type=type`,
  ),
  dialect(
    'Rupees',
    `Stk No=stock; Shape=shape; Size=weight; Color=color_full; Clarity=clarity; Cut Grade=cut;
    Polish=polish; Symm=symmetry; Fluor=fluorescence; Certificate Type=lab; Certificate No=cert;
    Price/Cts {currency}=per_carat; Total Price {currency}=total; MLength=length; MWidth=width;
    MDepth=depth; Dep%=depth_percent; Tab%=table; Cr >=crown_angle; Pav >=pavilion_angle;
    Girdle=girdle; Origin=origin`,
  ),
  dialect(
    'Decimal commas',
    `Reference Number=stock; Shape=shape; Carat Weight=weight; Color=color_full; Clarity=clarity;
    Cut=cut; Polish=polish; Symmetry=symmetry; Fluorescence=fluorescence; Laboratory=lab;
    Certificate Number=cert; Price per carat {currency}=per_carat;
    Total price {currency}=total; Length=length; Width=width; Height=depth; Depth %=depth_percent;
    Table %=table; Girdle=girdle; Type=type; Image Link=image`,
  ),
  dialect(
    'One total',
    `Lot #=stock; Status=status; Shape=shape; Ct=weight; Col=color_full; Cl=clarity; Cut=cut;
    Pol=polish; Sym=symmetry; Fl=fluorescence; Cert/Lab=lab_cert; Total $=total;
    Measurement=measurements; Depth=depth_percent; Table=table; Comments=growth_remark`,
  ),
]
