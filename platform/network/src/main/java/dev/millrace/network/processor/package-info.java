/**
 * A processor's place in the network: counts what enters and leaves, opens its inputs and outputs. Internal to the
 * network.
 *
 * <p>Who may call: the network. Threads: wiring on the deploying thread; inputs on the lanes of channels, outputs on
 * the same lanes or on workers of the processor.
 */
package dev.millrace.network.processor;
