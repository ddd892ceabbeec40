package dev.millrace.network.advertised;

import dev.millrace.api.event.EventType;

/**
 * A stage of an application that other applications can use, in one version of the application.
 *
 * @param type   of the rows
 * @param sender where rows enter; {@code null} where they leave
 */
record Advertisement(EventType type, SharedSender sender)
{
}
