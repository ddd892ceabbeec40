package dev.millrace.api.stage;

/** Marker of a sink that several threads may call at the same time; other sinks are called by one thread at a time. */
public interface ConcurrentSink
{
}
