package dev.millrace.api.stage;

/** Marks a stage at the edge of the network: a source, a sink, or both. */
public interface Adapter
{
}
