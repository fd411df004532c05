package dev.chatflow.consumer.audit;

/** An HTTP answer. */
record Answer(int status, String contentType, String body) {}
