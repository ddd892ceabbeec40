package dev.millrace.api.cache;

/** Which entry leaves a cache that is full. */
public enum EvictionPolicy
{
    /** The one that was put first; putting it again does not count. */
    FIFO,
    /** The one that was not used for the longest time. */
    LRU,
    /** The one that was used least often; of several the one that was not used for the longest time. */
    LFU,
    /** One that was not used recently; here that is the one of {@link #LRU}. */
    NRU
}
