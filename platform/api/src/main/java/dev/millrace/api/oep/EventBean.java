package dev.millrace.api.oep;

/** Marker of an event bean. */
public interface EventBean
{
}
