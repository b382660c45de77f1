// Multi-head attention in plain JavaScript on Float32Array, forward and one step of training: what one gets without
// WebAssembly, and the peer that all others are compared with. Sums are in double precision, as JavaScript's numbers
// are. It must stay free of libraries and of this project's module. Read next: problem.js for the shapes.

/** A matrix somewhere in an array: its first number, from row to row, from column to column. */
class Matrix {
  /** @param {Float32Array} data @param {number} at @param {number} row @param {number} column */
  constructor(data, at, row, column) {
    this.data = data;
    this.at = at;
    this.row = row;
    this.column = column;
  }

  /** The same numbers, rows as columns. */
  get transposed() {
    return new Matrix(this.data, this.at, this.column, this.row);
  }
}

/**
 * c = scale a·b, four rows by two columns at a time: eight sums stay in registers, and each number that is read enters
 * two or four of them. (Measured: 5.5 GFLOP/s; row by row 3.6; rounded to float32 by Math.fround 2.7.)
 * @param {number} m rows of a and c @param {number} n columns of b and c @param {number} k
 * @param {number} scale @param {Matrix} a @param {Matrix} b @param {Matrix} c
 */
function product(m, n, k, scale, a, b, c) {
  const x = a.data, y = b.data, z = c.data;
  const { row: ar, column: ac } = a, { row: br, column: bc } = b, { row: cr, column: cc } = c;
  let i = 0;
  for (; i + 4 <= m; i += 4) {
    let j = 0;
    for (; j + 2 <= n; j += 2) {
      let s00 = 0, s01 = 0, s10 = 0, s11 = 0, s20 = 0, s21 = 0, s30 = 0, s31 = 0;
      let p0 = a.at + i * ar, q = b.at + j * bc;
      for (let p = 0; p < k; p++) {
        const b0 = y[q], b1 = y[q + bc];
        const a0 = x[p0], a1 = x[p0 + ar], a2 = x[p0 + 2 * ar], a3 = x[p0 + 3 * ar];
        s00 += a0 * b0;
        s01 += a0 * b1;
        s10 += a1 * b0;
        s11 += a1 * b1;
        s20 += a2 * b0;
        s21 += a2 * b1;
        s30 += a3 * b0;
        s31 += a3 * b1;
        p0 += ac;
        q += br;
      }
      const z0 = c.at + i * cr + j * cc;
      z[z0] = scale * s00;
      z[z0 + cc] = scale * s01;
      z[z0 + cr] = scale * s10;
      z[z0 + cr + cc] = scale * s11;
      z[z0 + 2 * cr] = scale * s20;
      z[z0 + 2 * cr + cc] = scale * s21;
      z[z0 + 3 * cr] = scale * s30;
      z[z0 + 3 * cr + cc] = scale * s31;
    }
    if (j < n) edge(i, i + 4, j, n, k, scale, a, b, c);
  }
  if (i < m) edge(i, m, 0, n, k, scale, a, b, c);
}

/**
 * The part of a product that does not fill a block.
 * @param {number} i0 @param {number} i1 @param {number} j0 @param {number} j1 @param {number} k
 * @param {number} scale @param {Matrix} a @param {Matrix} b @param {Matrix} c
 */
function edge(i0, i1, j0, j1, k, scale, a, b, c) {
  const x = a.data, y = b.data;
  for (let i = i0; i < i1; i++) {
    for (let j = j0; j < j1; j++) {
      let sum = 0;
      for (let p = 0; p < k; p++) {
        sum += x[a.at + i * a.row + p * a.column] * y[b.at + p * b.row + j * b.column];
      }
      c.data[c.at + i * c.row + j * c.column] = scale * sum;
    }
  }
}

const ROWS_AT_ONCE = 32; // causal products leave out what is masked in blocks of this many rows

/** @typedef {import('./problem.js').Problem} Problem */

/**
 * Room for one problem, and the passes over it. Nothing is allocated after this.
 * @param {Problem} problem its weights are copied: training moves them
 */
export function plainAttention({ size: { nTokens: T, d, nHeads: H }, causal, inputs, targets, ...given }) {
  const headDim = d / H;
  const scale = 1 / Math.sqrt(headDim);
  const blockRows = causal ? ROWS_AT_ONCE : T;
  /** @param {number} rows @param {number} columns */
  const matrix = (rows, columns) => new Matrix(new Float32Array(rows * columns), 0, columns, 1);
  /** @param {Float32Array} numbers */
  const weight = (numbers) => new Matrix(numbers.slice(), 0, d, 1);

  const x = new Matrix(inputs, 0, d, 1);
  const wQuery = weight(given.wQuery), wKey = weight(given.wKey);
  const wValue = weight(given.wValue), wOut = weight(given.wOut);
  const queries = matrix(T, d), keys = matrix(T, d), values = matrix(T, d);
  const weights = matrix(H * T, T), context = matrix(T, d), outputs = matrix(T, d);

  /** From row i and the first column of head h on. @param {Matrix} rows @param {number} h @param {number} i */
  const ofHead = (rows, h, i = 0) => new Matrix(rows.data, i * d + h * headDim, d, 1);
  /** Row i of the weights of head h. @param {Matrix} square @param {number} h @param {number} i */
  const ofSquare = (square, h, i) => new Matrix(square.data, (h * T + i) * T, T, 1);

  /** Scores of one row become weights; those after `count` are masked. @param {number} at @param {number} count */
  function softmax(at, count) {
    const row = weights.data;
    let max = -Infinity;
    for (let j = at; j < at + count; j++) max = row[j] > max ? row[j] : max;
    let sum = 0;
    for (let j = at; j < at + count; j++) sum += row[j] = Math.exp(row[j] - max);
    for (let j = at; j < at + count; j++) row[j] /= sum;
    row.fill(0, at + count, at + T);
  }

  function forward() {
    product(T, d, d, 1, x, wQuery, queries);
    product(T, d, d, 1, x, wKey, keys);
    product(T, d, d, 1, x, wValue, values);
    for (let h = 0; h < H; h++) {
      for (let i = 0; i < T; i += blockRows) {
        const rows = Math.min(blockRows, T - i);
        const allowed = causal ? i + rows : T;
        const square = ofSquare(weights, h, i);
        product(rows, allowed, headDim, scale, ofHead(queries, h, i), ofHead(keys, h).transposed, square);
        for (let r = 0; r < rows; r++) softmax(square.at + r * T, causal ? i + r + 1 : T);
        product(rows, headDim, allowed, 1, square, ofHead(values, h), ofHead(context, h, i));
      }
    }
    product(T, d, d, 1, context, wOut, outputs);
    return { weights: weights.data, context: context.data, outputs: outputs.data };
  }

  /** What training needs besides, made when it is first asked for. */
  function createTraining() {
    const dOutputs = matrix(T, d), dContext = matrix(T, d), dScores = matrix(T, T);
    const dQueries = matrix(T, d), dKeys = matrix(T, d), dValues = matrix(T, d), dWeight = matrix(d, d);

    /** d_scores from d_weights, row by row, in place: ds = w (dw − Σ dw w). @param {number} h */
    function softmaxBackward(h) {
      const ds = dScores.data, w = weights.data;
      for (let i = 0; i < T; i++) {
        const at = (h * T + i) * T;
        let sum = 0;
        for (let j = 0; j < T; j++) sum += ds[i * T + j] * w[at + j];
        for (let j = 0; j < T; j++) ds[i * T + j] = w[at + j] * (ds[i * T + j] - sum);
      }
    }

    /** Move one weight along its gradient, rowsᵀ·dRows. @param {Matrix} w @param {Matrix} rows @param {Matrix} dRows @param {number} rate */
    function descend(w, rows, dRows, rate) {
      product(d, d, T, rate, rows.transposed, dRows, dWeight);
      for (let e = 0; e < d * d; e++) w.data[e] -= dWeight.data[e];
    }

    /** One step of gradient descent on the mean squared error. @param {number} rate @returns {number} loss before it */
    return (rate) => {
      forward();
      let loss = 0;
      for (let e = 0; e < T * d; e++) {
        const off = outputs.data[e] - targets[e];
        loss += off * off;
        dOutputs.data[e] = 2 * off / (T * d);
      }
      product(T, d, d, 1, dOutputs, wOut.transposed, dContext);
      for (let h = 0; h < H; h++) {
        const square = ofSquare(weights, h, 0), dHead = ofHead(dContext, h);
        product(T, T, headDim, 1, dHead, ofHead(values, h).transposed, dScores);
        product(T, headDim, T, 1, square.transposed, dHead, ofHead(dValues, h));
        softmaxBackward(h);
        product(T, headDim, T, scale, dScores, ofHead(keys, h), ofHead(dQueries, h));
        product(T, headDim, T, scale, dScores.transposed, ofHead(queries, h), ofHead(dKeys, h));
      }
      descend(wOut, context, dOutputs, rate);
      descend(wQuery, x, dQueries, rate);
      descend(wKey, x, dKeys, rate);
      descend(wValue, x, dValues, rate);
      return loss / (T * d);
    };
  }
  /** @type {ReturnType<typeof createTraining> | null} */
  let step = null;

  return {
    forward,
    /** @param {number} rate @returns {number} loss before the step */
    trainStep(rate) {
      step ??= createTraining();
      return step(rate);
    },
    parameters: () => [wQuery, wKey, wValue, wOut].map((w) => w.data),
  };
}
