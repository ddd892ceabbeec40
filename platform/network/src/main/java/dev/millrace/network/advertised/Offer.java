package dev.millrace.network.advertised;

import dev.millrace.api.event.EventType;

/**
 * What an application offers to others by advertising a stage.
 *
 * @param type     of the rows
 * @param entrance where rows enter; {@code null} where they leave
 */
record Offer(EventType type, Entrance entrance)
{
}
