package dev.millrace.adapter.kafka.inbound;

import dev.millrace.adapter.common.decode.RejectReason;

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
     * @return whether the row is filled; if not, {@link #rejection()} describes why
     */
    boolean decode(String topic, byte[] bytes, int from, int to, int row);

    /** Why the last value was rejected. */
    Rejection rejection();

    /**
     * Why a value is not a row.
     *
     * @param code   stable code of the reason
     * @param reason its name, for example {@code wrong-type}
     * @param detail column and value, or what else helps to find the cause
     */
    record Rejection(String code, String reason, String detail)
    {
        static Rejection of(final RejectReason reason, final String detail)
        {
            return new Rejection(reason.code(), reason.reason(), detail);
        }
    }
}
