package dev.millrace.api.cache;

/** Selects the entry that a full cache evicts. */
public enum EvictionPolicy
{
    /** The oldest entry; putting its key again does not change its age. */
    FIFO,
    /** The least recently used entry. */
    LRU,
    /** The least frequently used entry; of several the least recently used one. */
    LFU,
    /** An entry that was not used recently; the same entry as {@link #LRU}. */
    NRU
}
