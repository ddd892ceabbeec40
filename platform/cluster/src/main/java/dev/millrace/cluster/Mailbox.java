package dev.millrace.cluster;

import java.util.UUID;

/**
 * Messages between members. A message is not lost while both members stay in the cluster and the recipient has opened
 * the mailbox of the same name. Messages can arrive out of order; a protocol that needs more must number them and ask
 * for missing ones. Thread-safe.
 */
public interface Mailbox
{
    /**
     * Sends a message without waiting for the recipient.
     *
     * @param member  id in the view
     * @param message must not be changed afterwards
     * @return false when the recipient has left or this member is fenced
     */
    boolean send(UUID member, byte[] message);

    /** Receives messages. */
    @FunctionalInterface
    interface Receiver
    {
        /**
         * Called for each message. Must return quickly and must not wait for other members.
         *
         * @param from    id of the sender, which may not be in the view yet
         * @param message owned by the receiver
         */
        void received(UUID from, byte[] message);
    }
}
