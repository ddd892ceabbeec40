/**
 * The steps that a channel applies to each batch.
 */
package dev.millrace.network.channel.step;
