# ChatFlow in a container: server, load client and standalone consumer of a release, on a Java 25 runtime.
#   docker build -t chatflow . && docker run -p 8080:8080 chatflow
# Nothing but Docker is needed on the host. A release that ./chatflow dist has made is taken; without one it is made here.
ARG BUILD=maven:3.9.11-eclipse-temurin-25
ARG BASE=eclipse-temurin:25.0.1_8-jre

FROM ${BUILD} AS build
COPY . /src
WORKDIR /src
RUN set -- target/dist/chatflow-*.tar.gz \
 && if [ ! -f "$1" ]; then \
      apt-get update && apt-get install -y --no-install-recommends git python3 && ./chatflow dist; \
    fi \
 && mkdir -p /opt/chatflow && tar xzf target/dist/chatflow-*.tar.gz -C /opt/chatflow --strip-components=1 \
 && install -d -m 0700 -o 10001 -g 10001 /var/lib/chatflow

FROM ${BASE}
COPY --from=build /opt/chatflow /opt/chatflow
COPY --from=build --chown=10001:10001 /var/lib/chatflow /var/lib/chatflow
# Here, as it fits this very Java: the server is run once, and starts in 60 % of the time from then on.
RUN /opt/chatflow/chatflow train
USER 10001:10001
# The key of tokens, and what a consumer records.
VOLUME /var/lib/chatflow
WORKDIR /opt/chatflow
ENV CHATFLOW_ADDRESS=0.0.0.0
EXPOSE 8080
# A runtime's image has no curl.
HEALTHCHECK --interval=2s --timeout=5s --start-period=60s --retries=3 CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET /health HTTP/1.0\\r\\n\\r\\n' >&3 && read -r line <&3 && [[ $line == *' 200'* ]]"]
# Half of the container's memory is heap; -e JDK_JAVA_OPTIONS=-Xmx1g says another.
ENTRYPOINT ["java", "-XX:+ExitOnOutOfMemoryError", "-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders", "-XX:FreqInlineSize=80", "-XX:InlineSmallCode=600", "-XX:MaxInlineLevel=4", "-XX:TrimNativeHeapInterval=5000", "-XX:MaxRAMPercentage=50"]
CMD ["-Xmn16m", "-XX:AOTCache=trained/server.aot", "-Xlog:aot*=off,cds*=off", "-jar", "trained/server/chatflow.jar", "--own-key", "/var/lib/chatflow/token.key"]
