package dev.millrace.cluster;

import java.util.UUID;

/**
 * Messages from member to member. One is not lost as long as both stay and the other one has opened its mailbox of the
 * same name, but may overtake another one; who needs more numbers and asks. Safe for all threads.
 */
public interface Mailbox
{
    /**
     * Sends; does not wait for the other one.
     *
     * @param member  its id in the view
     * @param message not changed afterwards
     * @return false when that member is gone, or this one is fenced
     */
    boolean send(UUID member, byte[] message);

    /** Takes messages. */
    @FunctionalInterface
    interface Receiver
    {
        /**
         * A message came; must return quickly and not wait for others.
         *
         * @param from    id of the sender, which may not be in the view yet
         * @param message its own
         */
        void received(UUID from, byte[] message);
    }
}
