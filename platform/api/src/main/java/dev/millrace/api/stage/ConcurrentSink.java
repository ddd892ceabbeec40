package dev.millrace.api.stage;

/** Marks a sink that may be called by several threads at once; others are called by one at a time. */
public interface ConcurrentSink
{
}
