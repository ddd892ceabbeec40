/**
 * An example of a cartridge: numbers of payment cards.
 *
 * <pre>
 *   CardCartridge ──parameters──► CardFunctions: the functions of one link
 * </pre>
 *
 * <p>Callers: compiled rules, on the threads of the engine. Every class is immutable.
 */
package dev.millrace.samples.cartridge;
