package dev.millrace.network.topology;

/** Codes of the problems for which a network is refused. Stable, because users search for them. */
public final class NetworkErrorCode
{
    /** Two stages have one id: rename one. */
    public static final String DUPLICATE_STAGE = "EPN-0501";
    /** A listener names no stage: correct the reference. */
    public static final String UNKNOWN_LISTENER = "EPN-0502";
    /** Stages listen to each other in a cycle: break it. */
    public static final String CYCLE = "EPN-0503";
    /** A stage listens directly where a channel has to be in between: add one. */
    public static final String CHANNEL_NEEDED = "EPN-0504";
    /** A processor has no channel upstream: add it as listener of one. */
    public static final String NO_INPUT = "EPN-0505";
    /** A processor has no channel downstream: add a listener. */
    public static final String NO_OUTPUT = "EPN-0506";
    /** A selector on a channel that is not downstream of a processor: remove it or move the channel. */
    public static final String SELECTOR_MISPLACED = "EPN-0507";
    /** No processor provider of that name: correct it or deploy the provider. */
    public static final String UNKNOWN_PROVIDER = "EPN-0508";
    /** A bean listens but implements no sink role: implement one. */
    public static final String NO_SINK = "EPN-0509";
    /** A bean has listeners but implements no source role: implement one. */
    public static final String NO_SOURCE = "EPN-0510";
    /** Columns of one name have different types: cast in the query or change the event type. */
    public static final String TYPE_MISMATCH = "EPN-0511";
    /** Rows and the channel they reach have no column in common: give the columns the same names. */
    public static final String NOTHING_IN_COMMON = "EPN-0512";
    /** The time of an application-timestamped channel is not a property of a suitable type: correct the expression. */
    public static final String TIME_PROPERTY = "EPN-0513";
    /** The primary key is not a property of a suitable type, or the channel is a stream: correct it. */
    public static final String PRIMARY_KEY = "EPN-0514";
    /** A cache could not be loaded: read the loader's message. */
    public static final String CACHE_LOAD = "EPN-0515";
    /** A callback of a bean failed: read its message. */
    public static final String CALL_BACK = "EPN-0516";
    /** A bean class lacks a getter, setter or constructor: add it. */
    public static final String BEAN_CLASS = "EPN-0517";
    /** A stage could not be suspended or resumed: read its message. */
    public static final String PAUSE = "EPN-0518";
    /** A queue setting is out of range: correct it. */
    public static final String QUEUE = "EPN-0519";
    /** A stage failed unexpectedly while it was started: report it. */
    public static final String INTERNAL = "EPN-0520";
    /** Rules of this kind of processor cannot be changed while it is running: update the application. */
    public static final String RULES_FIXED = "EPN-0521";
    /** There is no processor of that name, or it is not running: look at the list of stages. */
    public static final String NO_PROCESSOR = "EPN-0522";
    /** A channel cannot be partitioned across members: read why. */
    public static final String PARTITIONED = "EPN-0523";
    /** Recording or playback without an event store: add one to config.xml. */
    public static final String NO_EVENT_STORE = "EPN-0524";
    /** A stage cannot be recorded with these settings: read why. */
    public static final String RECORDING = "EPN-0525";
    /** A dataset cannot be played back with these settings: read why. */
    public static final String PLAYBACK = "EPN-0526";

    /** A query whose result is a relation feeds a stream channel: write IStream, or make the channel a relation. */
    public static final String DELETIONS_LEFT_OUT = "EPN-0634";

    /** A durable processor started with other rules, and a query lost its state: none, later rows are complete. */
    public static final String STATE_LOST = "EPN-0643";

    private NetworkErrorCode()
    {
    }
}
