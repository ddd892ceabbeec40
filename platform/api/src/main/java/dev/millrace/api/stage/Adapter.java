package dev.millrace.api.stage;

/** Marker of a stage at the boundary of the network: a source, a sink, or both. */
public interface Adapter
{
}
