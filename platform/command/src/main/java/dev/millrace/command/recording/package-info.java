/**
 * Recording and playback of the stages of running applications, and the datasets of an instance.
 */
package dev.millrace.command.recording;
