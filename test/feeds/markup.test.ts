import { describe, expect, it } from 'vitest'
import { readStones } from './feed-support.ts'

const EXPECTED = [
  { vendor_sku: 'A-1', shape: 'round', weight: 1.01, color: 'G', clarity: 'VS1', cost: '5252.00' },
  { vendor_sku: 'A-2', shape: 'oval', weight: 0.9, color: 'F', clarity: 'SI1', cost: '2790.45' },
]

async function expectStones(text: string | Buffer, more: object[] = [{}, {}]) {
  for (const chunkBytes of [7, 65_536]) {
    const read = await readStones(text, { chunkBytes })
    expect(read.rejections).toEqual([])
    expect(read.drafts).toMatchObject(EXPECTED.map((stone, at) => ({ ...stone, ...more[at] })))
    expect(read.drafts).toHaveLength(2)
  }
}

describe('XML', () => {
  it('is read from the attributes of like elements', () =>
    expectStones(
      `<?xml version="1.0" encoding="utf-8"?>
      <IDEX_Online_Data file="stock"><request id="9"/>
      <diamond id="A-1" cut="Round" carat="1.01" color="G" clarity="VS1" price="5200"
        total_price="5252" certificate_url="https://lab.example/?a=1&b=2"/>
      <diamond id="A-2" cut="Oval" carat="0.90" color="F" clarity="SI1" price="3100.5"
        total_price="2790.45"/></IDEX_Online_Data>`,
      [{ cert_url: 'https://lab.example/?a=1&b=2' }, { cert_url: null }],
    ))

  it('is read from elements that name their columns', async () => {
    const attributes = (
      values: Record<string, string>,
      of: (name: string, text: string) => string,
    ) =>
      Object.entries(values)
        .map(([name, text]) => of(name, text))
        .join('')
    const first = { Shape: 'Round', Carat: '1.01', Color: 'G', Clarity: 'VS1', 'Price/Ct': '5200' }
    const second = {
      Shape: 'Oval',
      Carat: '0.90',
      Color: 'F',
      Clarity: 'SI1',
      'Price/Ct': '3100.5',
    }
    const inText = (name: string, text: string) => `<attribute name="${name}">${text}</attribute>`
    const inValue = (name: string, text: string) => `<Field Name="${name}" Value="${text}"/>`
    await expectStones(
      `<stock><stone id="A-1"><attributes>${attributes(first, inText)}</attributes></stone>
      <stone id="A-2"><attributes>${attributes(second, inText)}</attributes></stone></stock>`,
    )
    await expectStones(
      `<stock><stone><Field Name="StockNo" Value="A-1"/>${attributes(first, inValue)}</stone>
      <stone><Field Name="StockNo" Value="A-2"/>${attributes(second, inValue)}</stone></stock>`,
    )
  })

  it('takes a stone off the market whose remark is an attribute', async () => {
    const { drafts, rejections } = await readStones(
      `<IDEX_Online_Data>
      <item sr="A-1" cut="Round" ct="1.01" col="G" cl="VS1" ap="5200" tp="5252" rm="Clean"/>
      <item sr="A-2" cut="Oval" ct="0.90" col="F" cl="SI1" ap="3100.5" tp="2790.45"
        rm="On memo until May"/></IDEX_Online_Data>`,
    )
    expect(drafts.map(({ vendor_sku }) => vendor_sku)).toEqual(['A-1'])
    expect(rejections).toMatchObject([
      { column: 'rm', value: 'On memo until May', reason: 'The stone is not on offer' },
    ])
  })

  it('is read from the answer of a SOAP server, with namespaces, a schema and CDATA', () => {
    const stone = (stock: string, shape: string, rest: string) =>
      `<Table diffgr:id="Table${stock}" msdata:rowOrder="0"><StockNumber>${stock}</StockNumber>
        <Shape>${shape}</Shape>${rest}</Table>`
    return expectStones(
      `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Header/>
      <soap:Body><r:GetStockResponse xmlns:r="urn:x"><r:Result>
      <xs:schema id="D" xmlns:xs="urn:s"><xs:element name="Shape" type="xs:string"/>
      <xs:element name="Weight" type="xs:decimal"/></xs:schema>
      <diffgr:diffgram xmlns:diffgr="urn:d" xmlns:msdata="urn:m"><NewDataSet>
      ${stone(
        'A-1',
        '<![CDATA[Round]]>',
        `<Weight>1.01</Weight><Color>G</Color><Clarity>VS1</Clarity>
        <PricePerCarat>5200.0</PricePerCarat><TotalPrice>5252</TotalPrice>
        <VideoURL><![CDATA[https://v.example/?a=1&b=2]]></VideoURL>`,
      )}
      ${stone(
        'A-2',
        'Oval',
        `<Weight>0.90</Weight><Color>F</Color><Clarity>SI1</Clarity>
        <PricePerCarat>3100.50</PricePerCarat><TotalPrice>2790.45</TotalPrice>
        <VideoURL xsi:nil="true" xmlns:xsi="urn:i"/><Comments>A &amp; B</Comments>`,
      )}
      </NewDataSet></diffgr:diffgram></r:Result></r:GetStockResponse></soap:Body></soap:Envelope>`,
      [{ video_url: 'https://v.example/?a=1&b=2' }, { video_url: null }],
    )
  })

  it('is read when a stone has groups of elements', async () => {
    const stone = (stock: string, shape: string, weight: string, rest: string, price: string) =>
      `<item><id>${stock}</id><specs><shape>${shape}</shape><weight>${weight}</weight>${rest}</specs>
      <price currency="USD"><per_carat>${price}</per_carat></price></item>`
    const text = `<feed><total>2</total><items>
      ${stone('A-1', 'Round', '1.01', '<color>G</color><clarity>VS1</clarity>', '5200')}
      ${stone('A-2', 'Oval', '0.90', '<color>F</color><clarity>SI1</clarity>', '3100.50')}
      </items></feed>`
    await expectStones(text)
    const { fields } = await readStones(text)
    expect(fields['price.per_carat']).toBe('price_per_carat')
  })

  it('is read in UTF-16, and counts stones from 1', async () => {
    const stone = (weight: string) =>
      `<d stock="${weight}" shape="Round" weight="${weight}" color="G" clarity="VS1" price_per_carat="5200"/>`
    const text = `<list>${stone('1.01')}${stone('one')}${stone('1.02')}</list>`
    const { drafts, rejections } = await readStones(Buffer.from(`\ufeff${text}`, 'utf16le'))
    expect(drafts).toHaveLength(2)
    expect(rejections).toMatchObject([{ row: 2, column: 'weight', value: 'one' }])
  })

  it('reports that the file ends abruptly', async () => {
    const stone = '<d stock="1" shape="Round" weight="1" color="G" clarity="VS1" price="5200"/>'
    expect((await readStones(`<list>${stone}${stone}`)).damage).toContain('after stone 2')
    expect((await readStones(`<list>${stone}</list>`)).damage).toBeUndefined()
  })

  it('is refused when it declares entities, is damaged, or has no stones', async () => {
    for (const [text, message] of [
      ['<!DOCTYPE a [<!ENTITY x "y"><!ENTITY z "&x;&x;">]><a>&z;</a>', /declares entities/],
      ['<list><a><b></a></list>', /The XML file is damaged/],
      ['<?xml version="1.0"?><rss><item><title>News</title></item></rss>', /XML \(<rss>\) without/],
      ['<a>'.repeat(100), /nested more than 64 levels/],
    ] as const) {
      await expect(readStones(text)).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringMatching(message),
      })
    }
  })
})

describe('a page that calls itself Excel', () => {
  const HEADER = ['Stock #', 'Shape', 'Weight', 'Color', 'Clarity', 'Price Per Carat', 'Report #']
  const row = (cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`

  it('is read with entities, links, and cells over several columns and rows', async () => {
    const text = `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head>
      <style>td { color: red } <table></style><!-- <table><tr><td>no</td></tr></table> --></head>
      <body><table><tr><td>Address</td><td>of</td><td>the seller</td></tr></table>
      <table border=1><tr><th colspan="8">Stock of to&shy;day</th></tr>
      <TR>${HEADER.map((name) => `<TH nowrap>${name}`).join('</TH>')}<th>Video
      <tr><td title="a > b">A-1<td>Round<td x:num="1.01">1.01<td rowspan=1>G<td>VS1<td>5,200&nbsp;
        <td><a href="https://lab.example/?a=1&amp;b=2">2141438171</a>
        <td><a target=_blank href='https://v.example/1'><b>View</b></a></tr>
      <tr><td>A&#45;2</td><td>Oval</td><td>0.90</td><td>F</td><td>SI1</td><td>3100.50</td>
        <td colspan="2">2141438172</td></tr></table></body></html>`
    await expectStones(text, [
      {
        cert_num: '2141438171',
        cert_url: 'https://lab.example/?a=1&b=2',
        video_url: 'https://v.example/1',
      },
      { cert_num: '2141438172', video_url: null },
    ])
    const { notes } = await readStones(text)
    expect(notes).toEqual(['The table "table 1" has no header row and was left out.'])
  })

  it('repeats the value of a cell that spans rows, so that no value moves to a wrong column', () =>
    expectStones(
      `<table>${row(['Lab', ...HEADER])}<tr><td rowspan="2">GIA</td>
      ${['A-1', 'Round', '1.01', 'G', 'VS1', '5200', '2141438171'].map((cell) => `<td>${cell}</td>`).join('')}</tr>
      ${row(['A-2', 'Oval', '0.90', 'F', 'SI1', '3100.50', '2141438172'])}</table>`,
      [{ lab: 'GIA' }, { lab: 'GIA', cert_num: '2141438172' }],
    ))

  it('is read inside a table that only makes the layout', () =>
    expectStones(
      `<table><tr><td>Menu</td><td><table>${row(HEADER)}
      ${row(['A-1', 'Round', '1.01', 'G', 'VS1', '5200', '2141438171'])}
      ${row(['A-2', 'Oval', '0.90', 'F', 'SI1', '3100.50', '2141438172'])}</table></td></tr></table>`,
    ))

  it('is refused when it has no table of stones', async () => {
    await expect(
      readStones('<html><body><h1>Please log in</h1></body></html>'),
    ).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('an HTML page, with no header row'),
    })
  })
})

describe('a workbook in the XML of Excel 2003', () => {
  it('is read with its cells by position, and its links', () => {
    const data = (value: string | number) =>
      `<Data ss:Type="${typeof value === 'number' ? 'Number' : 'String'}">${value}</Data>`
    const cells = (values: (string | number)[]) =>
      values.map((value) => `<Cell>${data(value)}</Cell>`).join('')
    return expectStones(
      `<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>
      <Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"
        xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">
      <Worksheet ss:Name="Cover"><Table><Row><Cell>${data('Hello')}</Cell></Row></Table></Worksheet>
      <Worksheet ss:Name="Stones"><Table>
      <Row>${cells(['Stock #', 'Shape', 'Weight', 'Color', 'Clarity', 'Price Per Carat', 'Lab', 'Video'])}</Row>
      <Row ss:Index="3">${cells(['A-1', 'Round', 1.01, 'G', 'VS1', 5200])}
        <Cell ss:Index="8" ss:HRef="https://v.example/1">${data('View')}</Cell></Row>
      <Row>${cells(['A-2', 'Oval', 0.9, 'F', 'SI1', 3100.5, 'GIA'])}</Row>
      </Table></Worksheet></Workbook>`,
      [
        { lab: null, video_url: 'https://v.example/1' },
        { lab: 'GIA', video_url: null },
      ],
    )
  })
})
