package dev.millrace.tuning;

/** Something that can be done by the engine and by a loop written for it. One thread. */
interface Workload
{
    /** Name on the command line. */
    String name();

    /** What of several forms, for example the size of batches. */
    String variant();

    /** Events of one pass over the data. */
    int events();

    /** One pass by the engine. */
    void runEngine();

    /** One pass by the hand-written loop. */
    void runLimit();

    /** What the engine has put out so far. */
    Tally engineTally();

    /** What the loop has put out so far. */
    Tally limitTally();

    /** The generated text, for a look at it. */
    String javaText();
}
