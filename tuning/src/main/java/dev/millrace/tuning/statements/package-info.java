/**
 * Many statements over one stream.
 */
package dev.millrace.tuning.statements;
