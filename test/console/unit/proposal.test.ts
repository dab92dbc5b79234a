/** Mappings that are proposed from documents. */
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../console/src/api/json.js';
import { propertiesOf, proposeMapping } from '../../../console/src/views/transfer/proposal/proposal.js';
import { withPoint } from '../../../console/src/views/transfer/withPoint.js';

const whole = { type: 'string', index: 'not_analyzed' };

function proposed(...documents: string[]) {
  const proposal = proposeMapping(documents.map((text) => parseJson(text)));
  return {
    properties: propertiesOf(proposal.fields, proposal.point),
    doubts: proposal.fields.filter(({ isDoubtful }) => isDoubtful).map(({ path }) => path.join('.')),
    point: proposal.point,
  };
}

describe('a mapping is proposed', () => {
  it.each([
    ['whole numbers', ['{"a":1}', '{"a":-5}'], { type: 'integer' }],
    ['larger ones', ['{"a":3000000000}'], { type: 'long' }],
    ['those beyond 2^53', ['{"a":9007199254740993}'], { type: 'long' }],
    ['fractions', ['{"a":1}', '{"a":1.5}'], { type: 'double' }],
    ['booleans', ['{"a":true}', '{"a":false}'], { type: 'boolean' }],
    ['ISO dates', ['{"a":"2024-02-29"}', '{"a":"2024-01-01T10:00:00.000Z"}'], { type: 'date' }],
    ['dates with points', ['{"a":"31.12.2024"}'], { type: 'date', format: 'dd.MM.yyyy' }],
    ['American dates', ['{"a":"01/02/2024"}', '{"a":"12/31/2024"}'], { type: 'date', format: 'MM/dd/yyyy' }],
    ['dates that are none', ['{"a":"2023-02-29"}'], whole],
    ['milliseconds', ['{"createdAt":1700000000000}'], undefined],
    ['addresses', ['{"a":"10.0.0.1"}', '{"a":"255.255.255.255"}'], { type: 'ip' }],
    ['no addresses', ['{"a":"10.0.0.256"}'], whole],
    ['points as texts', ['{"a":"48.85, 2.35"}'], { type: 'geo_point' }],
    ['points as objects', ['{"a":{"lat":48.85,"lon":2.35}}'], { type: 'geo_point' }],
    ['points as lists', ['{"a":null,"location":[2.35,48.85]}'], undefined],
    ['lists of numbers', ['{"a":[2.35,48.85]}'], { type: 'double' }],
    ['shapes', ['{"a":{"type":"Point","coordinates":[1,2]}}'], { type: 'geo_shape' }],
    ['single words', ['{"a":"x-1"}', '{"a":"y-2"}'], whole],
    ['names', ['{"a":"Ann Lee"}', '{"a":"Bob Ray"}'], { type: 'string', fields: { raw: whole } }],
    [
      'repeated strings',
      Array.from({ length: 8 }, (_, i) => `{"a":"New ${i % 2 === 0 ? 'York' : 'Delhi'}"}`),
      whole,
    ],
    ['texts', [`{"a":"${'a long text of many words '.repeat(5)}"}`], { type: 'string' }],
    ['nothing but null', ['{"a":null}', '{"a":[]}'], undefined],
    ['objects and values', ['{"a":{"b":1}}', '{"a":5}'], { type: 'object', enabled: false }],
    ['strings and numbers', ['{"a":"x"}', '{"a":5}'], whole],
    ['numbers beyond 2^63', ['{"a":99999999999999999999}'], whole],
  ])('for %s', (_, documents, mapping) => {
    expect(proposed(...documents).properties.a).toEqual(mapping);
  });

  it('for fields in objects, for names with dots, and for pairs that are called a place', () => {
    expect(
      proposed('{"o":{"p":{"n":1}},"l":[{"t":true}],"x.y":2,"loc":[2.5,1],"createdAt":1700000000000}')
        .properties,
    ).toEqual({
      o: { properties: { p: { properties: { n: { type: 'integer' } } } } },
      l: { properties: { t: { type: 'boolean' } } },
      'x.y': { type: 'integer' },
      loc: { type: 'geo_point' },
      createdAt: { type: 'date' },
    });
  });

  it('with doubts where documents contradict each other', () => {
    expect(proposed('{"a":"01/02/2024","b":1}', '{"a":"03/04/2024","b":"x"}').doubts).toEqual(['a', 'b']);
  });

  it('with a point made of two columns', () => {
    const { point, properties } = proposed('{"Latitude":48.5,"Longitude":2,"location":"x"}');
    expect(point).toEqual({ lat: 'Latitude', lon: 'Longitude', field: 'geo_location' });
    expect(properties.geo_location).toEqual({ type: 'geo_point' });
    expect(proposed('{"lat":48.5,"lon":200}').point).toBeUndefined();
  });
});

describe('a point of two columns', () => {
  const columns = { lat: 'lat', lon: 'lon', field: 'location' };

  it('keeps the digits and all else', () => {
    expect(withPoint('{"id":12345678901234567890, "lat":48.50,"lon":-2}', columns)).toBe(
      '{"id":12345678901234567890, "lat":48.50,"lon":-2,"location":{"lat":48.50,"lon":-2}}',
    );
  });

  it.each(['{"lat":1}', '{"lat":"north","lon":2}', '{"lat":1,"lon":2,"location":3}', '{"lat":1,"lon'])(
    'is left out of %s',
    (source) => {
      expect(withPoint(source, columns)).toBe(source);
    },
  );
});
