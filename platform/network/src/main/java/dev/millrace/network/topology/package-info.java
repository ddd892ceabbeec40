/**
 * The order of stages and the types on the channels between them.
 */
package dev.millrace.network.topology;
