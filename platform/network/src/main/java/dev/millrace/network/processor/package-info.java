/**
 * Connects a processor to the network: counts the rows that enter and leave, opens its inputs and outputs. Internal to
 * the network.
 *
 * <p>Callers: the network. Threads: wiring on the deploying thread; inputs on the lanes of channels, outputs on the
 * same lanes or on workers of the processor.
 */
package dev.millrace.network.processor;
