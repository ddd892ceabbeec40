package dev.millrace.network.edge;

import dev.millrace.api.event.Dictionary;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.stage.EventRejectedException;

/** An event is in order, but a text of it finds no room in its dictionary. */
public final class NoRoomException extends EventRejectedException
{
    private static final long serialVersionUID = 1L;
    // EPN-0637: no room for another text: the property has more different values than its dictionary may hold
    private static final String DICTIONARY_FULL = "EPN-0637";

    private final String reason;

    NoRoomException(final Dictionary dictionary)
    {
        super(detail(dictionary));
        reason = dictionary.fullReason();
    }

    private static String detail(final Dictionary dictionary)
    {
        return dictionary.fullReason().equals(MemoryAccount.MEMORY_FULL) ? dictionary.fullDetail() :
            DICTIONARY_FULL + ' ' + dictionary.fullDetail() +
            "; the property has more different values than its dictionary may hold";
    }

    /**
     * Why.
     *
     * @return reason of the rejection
     */
    public String reason()
    {
        return reason;
    }
}
