/**
 * Class links of the ready lessons, one for each chapter, in teaching order: data only. Their plans stand in
 * ../teachers.md, and tests open each of them. Imports nothing. Next to read: ../io/class-link.js (what the words mean).
 */

/** @type {{ example: string, hash: string }[]} */
export const readyLessons = [
  { example: 'warm-up', hash: '#class&example=warm-up&row=1&hide=training,bugs,compare,masking,files&lock=switches&rows=0' },
  { example: 'simplified', hash: '#class&example=simplified&hide=training,bugs,compare,files&ask=attn_weights&lock=switches' },
  { example: 'trainable', hash: '#class&example=trainable&open=flow&hide=bugs,compare,masking,files&lock=inputs,switches' },
  { example: 'causal', hash: '#class&example=causal&row=1&open=masking&hide=training,files&lock=inputs,w_query,w_key,w_value&rows=0:weights' },
  { example: 'multi-head', hash: '#class&example=multi-head&head=2&open=shapes&hide=training,files&lock=inputs,example' },
];
