package dev.millrace.adapter.http.api;

import java.util.List;
import java.util.Map;

/**
 * Converts events to messages: the {@code converterBean} of an adapter {@code httppub}.
 *
 * <p>Threads: an adapter makes one call at a time. Failure: a {@link MessageConverterException}, a runtime exception,
 * or null instead of the list or one of its objects rejects the event.
 */
@FunctionalInterface
public interface OutboundMessageConverter
{
    /**
     * Converts an event.
     *
     * @param event bean, map or tuple, by the channel's event type
     * @return JSON objects to publish in order, with strings, numbers, booleans, nulls, lists and maps as values; an
     *     empty list to ignore the event
     * @throws MessageConverterException if the event cannot be converted
     */
    List<Map<String, Object>> convert(Object event) throws MessageConverterException;
}
