package dev.millrace.adapter.kafka.inbound;

/**
 * Decodes the value of a record to a row of a batch. Confined to one thread; keeps the reason of the last rejection.
 */
interface ValueDecoder
{
    /**
     * Decodes a value.
     *
     * @param topic of the record
     * @param row   of the batch to fill
     * @return whether the row is filled; if not, the other methods describe why
     */
    boolean decode(String topic, byte[] bytes, int from, int to, int row);

    /** The stable code of the reason. */
    String code();

    /** The name of the reason, for example {@code wrong-type}. */
    String reason();

    /** The column and value, or what else helps to find the cause. */
    String detail();
}
