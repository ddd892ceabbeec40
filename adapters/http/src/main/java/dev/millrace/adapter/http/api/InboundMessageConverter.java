package dev.millrace.adapter.http.api;

import java.util.List;
import java.util.Map;

/**
 * Converts messages to events: the {@code converterBean} of an adapter {@code httpsub}.
 *
 * <p>Threads: an adapter makes one call at a time. Failure: a {@link MessageConverterException} or a runtime exception
 * rejects the message.
 */
@FunctionalInterface
public interface InboundMessageConverter
{
    /**
     * Converts a message.
     *
     * @param message JSON object, with strings, numbers, booleans, nulls, lists and maps as values; owned by the callee
     * @return beans, maps or tuples of the channel's event type, in order; an empty list to ignore the message
     * @throws MessageConverterException if the message cannot be converted
     */
    List<?> convert(Map<String, Object> message) throws MessageConverterException;
}
