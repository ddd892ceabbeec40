/**
 * Requests to record and play back stages, and the datasets of the server. Thread-safe.
 */
package dev.millrace.server.recording;
